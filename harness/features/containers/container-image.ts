import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContainerRuntimeClient } from 'testcontainers';
import { packageRoot } from '../../kernel/core/index.ts';
import { nodeRuntime } from './node-runtime.ts';
import { testcontainers } from './testcontainers.ts';

/** Port on which the gateway listens in its container: that of `touchstone serve`. */
export const containerPort = 8787;

/** Name of all Touchstone images. Their tag is the digest of their content. */
const imageName = 'touchstone-reference';

/** Label on every image. An image is kept after its containers are removed, so that it is built once. */
const imageLabel = 'touchstone.image';

/** Program of the container, below `dist/`. */
const entry = 'harness/main.js';

interface ContextFile {
  /** Path below the context, with `/` as separator. */
  readonly path: string;
  readonly source: string;
}

/** Input of an image: its Dockerfile, and the files of its context. */
interface Recipe {
  readonly dockerfile: string;
  readonly files: readonly ContextFile[];
}

/**
 * Builds an image of this package, as the Dockerfile does, unless the engine has one with the same content.
 *
 * @param baseImage base image with `node` (20 or later) on its path. By default, the image is built from the Node
 *   that runs this process, which is only possible on Linux. Nothing is pulled.
 * @returns the name to start containers from
 */
export async function containerImage(
  client: ContainerRuntimeClient,
  { baseImage, signal }: { baseImage?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const upon = baseImage ?? (await imageOf(client, 'runtime', runtimeRecipe, signal));
  const recipe = async () => packageRecipe(upon, await packageFiles());
  return imageOf(client, upon, recipe, signal);
}

interface Named {
  readonly name: string;
  readonly recipe: Recipe;
}

/** Cache of recipes with their names, because the files of a process do not change while it runs. */
const known = new Map<string, Promise<Named>>();

async function imageOf(
  client: ContainerRuntimeClient,
  key: string,
  read: () => Promise<Recipe>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const named = known.get(key) ?? nameOf(read);
  known.set(key, named);
  // A failed read is repeated the next time.
  named.catch(() => known.delete(key));
  const { name, recipe } = await named;
  const { ImageName } = await testcontainers();
  if (await client.image.exists(ImageName.fromString(name))) return name;
  await build(client, name, recipe, signal);
  return name;
}

async function nameOf(read: () => Promise<Recipe>): Promise<Named> {
  const recipe = await read();
  return { name: `${imageName}:${await digest(recipe)}`, recipe };
}

/** The bundled code with its data, in the layout of `/app` in the image. */
async function packageFiles(): Promise<ContextFile[]> {
  const dist = join(packageRoot, 'dist');
  await stat(join(dist, entry)).catch(() => {
    throw new Error(
      `Touchstone has to be compiled before it goes into an image: ${join(dist, entry)} is missing. Run "npm run build".`,
    );
  });
  const folders = [
    { from: dist, to: 'app/dist' },
    { from: join(packageRoot, 'fixtures'), to: 'app/fixtures' },
  ];
  const files = await Promise.all(folders.map(({ from, to }) => filesOf(from, to)));
  return [{ path: 'app/package.json', source: join(packageRoot, 'package.json') }, ...files.flat()];
}

/** Files that are not needed at run time. */
const leftOut = /\.d\.[cm]?ts$|\.map$|\.tsbuildinfo|\.test\.js$|^harness\/lab\//;

async function filesOf(folder: string, to: string): Promise<ContextFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({ source, path: relative(folder, source).replaceAll(sep, '/') }))
    .filter(({ path }) => !leftOut.test(path))
    .map(({ source, path }) => ({ source, path: `${to}/${path}` }));
}

function packageRecipe(baseImage: string, files: readonly ContextFile[]): Recipe {
  const lines = [
    `FROM ${baseImage}`,
    `LABEL ${imageLabel}=reference`,
    'COPY app/ /app/',
    'WORKDIR /work',
    'USER 65534:65534',
    `EXPOSE ${containerPort}`,
    `ENTRYPOINT ["node", "/app/dist/${entry}"]`,
  ];
  return { dockerfile: `${lines.join('\n')}\n`, files };
}

/** A separate image with the running Node only: it is large, and can be kept when only the code changes. */
async function runtimeRecipe(): Promise<Recipe> {
  if (process.platform !== 'linux') {
    throw new Error(
      `Without a base image the reference gateway's image is made out of the running Node, which only works on Linux, not on ${process.platform}. Name an image that has Node 20 or later in TOUCHSTONE_NODE_IMAGE, such as node:22-slim.`,
    );
  }
  const { binary, libraries } = await nodeRuntime();
  // The image has no ld.so.cache, so the loader needs the path.
  const libraryPath = [...new Set(libraries.map((library) => dirname(library)))].join(':');
  const lines = [
    'FROM scratch',
    `LABEL ${imageLabel}=runtime`,
    'COPY runtime/ /',
    `ENV PATH=/usr/local/bin LD_LIBRARY_PATH=${libraryPath}`,
  ];
  const files = [
    { path: 'runtime/usr/local/bin/node', source: binary },
    ...libraries.map((source) => ({ path: `runtime${source}`, source })),
  ];
  return { dockerfile: `${lines.join('\n')}\n`, files };
}

async function digest({ dockerfile, files }: Recipe): Promise<string> {
  const hash = createHash('sha256').update(dockerfile);
  for (const { path, source } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`\0${path}\0`);
    await hashFile(hash, source);
  }
  return hash.digest('hex').slice(0, 16);
}

function hashFile(hash: Hash, source: string): Promise<void> {
  return pipeline(createReadStream(source), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) hash.update(chunk);
  });
}

/** Bypasses the builder of testcontainers, which never reports why a build failed. */
async function build(
  { container: { dockerode } }: ContainerRuntimeClient,
  name: string,
  { dockerfile, files }: Recipe,
  signal?: AbortSignal,
): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'touchstone-image-'));
  try {
    await writeFile(join(context, 'Dockerfile'), dockerfile);
    const folders = new Set(files.map(({ path }) => dirname(path)));
    for (const folder of folders) await mkdir(join(context, folder), { recursive: true });
    // Libraries are often links to a file with the full version in its name. The linked file is copied.
    for (const { path, source } of files) await copyFile(source, join(context, path));
    signal?.throwIfAborted();
    const output = await dockerode.buildImage(
      { context, src: await readdir(context) },
      // `forcerm` removes intermediate containers even if the build fails or is interrupted.
      { t: name, forcerm: true, ...(signal && { abortSignal: signal }) },
    );
    await new Promise<void>((resolve, reject) => {
      dockerode.modem.followProgress(output, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`The image could not be built from\n${dockerfile}${error}`, { cause: error });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}
