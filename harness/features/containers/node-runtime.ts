import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The files that the running Node needs on another system: its binary and its shared libraries. */
interface NodeRuntime {
  readonly binary: string;
  /** Absolute paths as the loader uses them, including the loader itself. */
  readonly libraries: readonly string[];
}

/**
 * Determines what the Node binary of this process is linked to. Only on Linux. Throws when `ldd` is missing, or
 * names a missing library.
 */
export async function nodeRuntime(): Promise<NodeRuntime> {
  const binary = process.execPath;
  try {
    const { stdout } = await promisify(execFile)('ldd', [binary]);
    return { binary, libraries: librariesOf(stdout) };
  } catch (error) {
    // `ldd` reports a binary without libraries only by this error.
    if (/not a (valid )?dynamic|not a dynamic executable/i.test(String(error))) {
      return { binary, libraries: [] };
    }
    throw error;
  }
}

/**
 * Parses the output of `ldd`, of glibc and of musl:
 *
 * libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f…) /lib64/ld-linux-x86-64.so.2 (0x00007f…) linux-vdso.so.1
 * (0x00007f…)          ← in the kernel, no file
 */
export function librariesOf(ldd: string): string[] {
  const libraries = ldd.split('\n').flatMap((line) => {
    const missing = /^\s*(\S+) => not found/.exec(line)?.[1];
    if (missing) throw new Error(`The running Node needs ${missing}, which ldd does not find`);
    return /(?:=>\s+|^\s*)(\/\S+) \(0x/.exec(line)?.[1] ?? [];
  });
  return [...new Set(libraries)];
}
