import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContainerRuntimeClient } from 'testcontainers';
import { packageRoot } from '../core/package-root.ts';
import { nodeRuntime } from './node-runtime.ts';
import { testcontainers } from './testcontainers.ts';

/** The port on which the gateway listens in its container. */
export const containerPort = 8080;

/** All images of the reference gateway have this name, and the digest of their content as tag. */
export const imageName = 'touchstone-reference';

/** Stands on every image. An image stays when its containers have gone, so that it is built once. */
export const imageLabel = 'touchstone.image';

/** The packages that the reference gateway uses; neither has dependencies of its own. */
const packages = ['ws', 'yaml'];

/** One file of the build context. */
interface ContextFile {
  /** Below the context, with `/` between its parts. */
  readonly path: string;
  readonly source: string;
}

/** What an image is made of: what Docker reads, and the digest that names it. */
interface Recipe {
  readonly dockerfile: string;
  readonly files: readonly ContextFile[];
}

/**
 * Builds the image of the reference gateway, unless the engine has one with the same content.
 *
 * @param baseImage the image to build upon, with `node` (20 or later) on its path. Without one the
 *   image is made out of the Node that runs this process, which only Linux can do: nothing is pulled.
 * @returns the name to start containers from
 */
export async function containerImage(
  client: ContainerRuntimeClient,
  { baseImage, signal }: { baseImage?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const app = await appFiles();
  const recipe = baseImage ? recipeUpon(baseImage, app) : await recipeFromScratch(app);
  const name = `${imageName}:${await digest(recipe)}`;
  const { ImageName } = await testcontainers();
  if (await client.image.exists(ImageName.fromString(name))) return name;
  await build(client, name, recipe, signal);
  return name;
}

/** The compiled gateway, its data and its packages, as they lie in `/app` of the image. */
async function appFiles(): Promise<ContextFile[]> {
  const code = join(packageRoot, 'dist', 'harness', 'reference');
  const entry = join(code, 'main.js');
  await stat(entry).catch(() => {
    throw new Error(
      `The reference gateway has to be compiled before it goes into an image: ${entry} is missing. Run "npm run build".`,
    );
  });
  const require = createRequire(import.meta.url);
  const folders = [
    { from: code, to: 'app/dist/harness/reference' },
    ...packages.map((name) => ({
      from: dirname(require.resolve(`${name}/package.json`)),
      to: `app/node_modules/${name}`,
    })),
  ];
  const files = await Promise.all(folders.map(({ from, to }) => filesOf(from, to)));
  return [
    { path: 'app/package.json', source: join(packageRoot, 'package.json') },
    {
      path: 'app/fixtures/models.yaml',
      source: join(packageRoot, 'fixtures', 'models.yaml'),
    },
    ...files.flat(),
  ];
}

async function filesOf(folder: string, to: string): Promise<ContextFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(js|cjs|mjs|json)$/.test(entry.name))
    .filter((entry) => !/\.test\.js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({ path: `${to}/${relative(folder, source).replaceAll(sep, '/')}`, source }));
}

const start = [
  'COPY app/ /app/',
  'USER 65534:65534',
  `EXPOSE ${containerPort}`,
  'ENTRYPOINT ["node", "/app/dist/harness/reference/main.js"]',
];

function recipeUpon(baseImage: string, files: readonly ContextFile[]): Recipe {
  const lines = [`FROM ${baseImage}`, `LABEL ${imageLabel}=reference`, ...start];
  return { dockerfile: `${lines.join('\n')}\n`, files };
}

async function recipeFromScratch(app: readonly ContextFile[]): Promise<Recipe> {
  if (process.platform !== 'linux') {
    throw new Error(
      `Without a base image the reference gateway's image is made out of the running Node, which only works on Linux, not on ${process.platform}. Name an image that has Node 20 or later in TOUCHSTONE_NODE_IMAGE, such as node:22-slim.`,
    );
  }
  const { binary, libraries } = await nodeRuntime();
  // There is no ld.so.cache in the image: the loader is told where to look.
  const libraryPath = [...new Set(libraries.map((library) => dirname(library)))].join(':');
  const lines = [
    'FROM scratch',
    `LABEL ${imageLabel}=reference`,
    // Before the code: the large layer is kept when only the code changes.
    'COPY runtime/ /',
    `ENV PATH=/usr/local/bin LD_LIBRARY_PATH=${libraryPath}`,
    ...start,
  ];
  const runtime = [
    { path: 'runtime/usr/local/bin/node', source: binary },
    ...libraries.map((source) => ({ path: `runtime${source}`, source })),
  ];
  return { dockerfile: `${lines.join('\n')}\n`, files: [...runtime, ...app] };
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

/** Goes round the builder of testcontainers, which never says why a build failed. */
async function build(
  { container: { dockerode } }: ContainerRuntimeClient,
  name: string,
  { dockerfile, files }: Recipe,
  signal?: AbortSignal,
): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'touchstone-image-'));
  try {
    await writeFile(join(context, 'Dockerfile'), dockerfile);
    for (const { path, source } of files) {
      const target = join(context, path);
      await mkdir(dirname(target), { recursive: true });
      // Libraries are often links to a file with their whole version in its name.
      await cp(source, target, { dereference: true });
    }
    signal?.throwIfAborted();
    const output = await dockerode.buildImage(
      { context, src: await readdir(context) },
      // `forcerm`: no intermediate container stays, whether the build fails or is interrupted.
      { t: name, forcerm: true, ...(signal && { abortSignal: signal }) },
    );
    await new Promise<void>((resolve, reject) => {
      dockerode.modem.followProgress(output, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(
      `The image of the reference gateway could not be built from\n${dockerfile}${error}`,
      { cause: error },
    );
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}
