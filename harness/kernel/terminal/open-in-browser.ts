import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Terminal } from './terminal.ts';

type Environment = Terminal['environment'];

/**
 * Opens a file in the user's browser: with the command in `BROWSER`, or as the system opens files.
 *
 * @returns the reason why it could not be opened, in a sentence; null if a program was started
 */
export async function openInBrowser(
  file: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const [program, ...parameters] = openerOf(environment, platform) ?? [];
  if (program === undefined) {
    return isSet(environment.CI)
      ? 'nobody looks on in CI.'
      : 'there is no display; BROWSER may name a command that opens it.';
  }
  return new Promise((settle) => {
    // The browser outlives this command.
    const child = spawn(program, [...parameters, resolve(file)], {
      detached: true,
      stdio: 'ignore',
      env: environment,
    });
    child.once('error', ({ message }) => settle(`${message}.`));
    child.once('spawn', () => {
      child.unref();
      settle(null);
    });
  });
}

/** Returns program and arguments that open a file; null if there is no display. */
function openerOf(
  { BROWSER = '', CI, DISPLAY, WAYLAND_DISPLAY }: Environment,
  platform: NodeJS.Platform,
): readonly string[] | null {
  if (BROWSER.trim() !== '') return BROWSER.trim().split(/\s+/);
  if (isSet(CI)) return null;
  if (platform === 'darwin') return ['open'];
  // The `start` command of Windows takes the first quoted word for a title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  return isSet(DISPLAY) || isSet(WAYLAND_DISPLAY) ? ['xdg-open'] : null;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
