// Bundles and minifies the scripts and style sheets in dist (docs/decisions/0110). Part of `npm run build`. A style sheet
// contains the style sheets that it imports. Scripts contain the keys of their texts, which the service replaces.
// A page loads two scripts: offline.js, and its own. Both can load other scripts later, with `import()`. Modules that the
// script of a page and its later scripts have in common become part of offline.js, so that they run only once.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { build, transform } from 'esbuild';

const SOURCES = join('src', 'web', 'assets');
const TARGET = join('dist', 'src', 'web', 'assets');
/** The script that all pages with scripts load (layout.eta). */
const COMMON = 'offline.js';
const WORKER = 'service-worker.js';
const SCRIPT_IN_TEMPLATE = /'([\w-]+\.js)'/g;

const filesIn = (folder, extension) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(extension));

/** The scripts of single pages, as the templates name them. */
const PAGE_SCRIPTS = new Set(
  filesIn(join('src', 'web'), '.eta')
    .flatMap((name) =>
      [...readFileSync(join('src', 'web', name), 'utf8').matchAll(SCRIPT_IN_TEMPLATE)].map(
        ([, script]) => script,
      ),
    )
    .filter((script) => script !== COMMON),
);

/** Leaves scripts that are loaded later out of the bundle. */
const withoutLater = {
  name: 'later',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** Replaces imports of these modules with imports of the common script. */
const fromCommon = (modules) => ({
  name: 'common',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\// }, ({ path }) =>
      modules.includes(basename(path)) ? { path: `./${COMMON}`, external: true } : undefined,
    );
  },
});

const bundled = (entry, plugins = []) =>
  build({
    ...(typeof entry === 'string'
      ? { entryPoints: [join(SOURCES, entry)] }
      : { stdin: { ...entry, resolveDir: SOURCES } }),
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', charset: 'utf8' },
    ...{ write: false, metafile: true, logLevel: 'warning' },
    plugins: [withoutLater, ...plugins],
  });

/** The modules of a script. Also the scripts that it loads later. */
async function partsOf(script) {
  const { metafile } = await bundled(script);
  const modules = Object.keys(metafile.inputs).map((path) => basename(path));
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return { modules, laterScripts: [...new Set(imports.map(({ path }) => basename(path)))] };
}

/** The modules that a page script and the scripts that it loads later have in common. */
async function sharedModules({ modules, laterScripts }) {
  const later = await Promise.all(laterScripts.map(partsOf));
  const all = [modules, ...later.map((parts) => parts.modules)].flat();
  return all.filter((name, at) => all.indexOf(name) !== at);
}

/** @throws Error if two modules export the same name, because the common script then exports neither */
async function checkExports(modules) {
  const results = await Promise.all(modules.map((name) => bundled(name)));
  const names = results.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap((output) => output.exports),
  );
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) {
    throw new Error(`several modules in ${modules.join(', ')} export ${twice.join(', ')}`);
  }
}

const write = (name, { outputFiles: [file] }) => {
  writeFileSync(join(TARGET, name), file.contents);
};

async function minify(name) {
  const { code } = await transform(readFileSync(join(SOURCES, name), 'utf8'), {
    ...{ loader: 'js', minify: true, target: 'es2022', charset: 'utf8' },
  });
  writeFileSync(join(TARGET, name), code);
}

/** Fonts stay references, which the service replaces with hashed names when it starts. */
const bundleSheets = () =>
  build({
    entryPoints: filesIn(SOURCES, '.css').map((name) => join(SOURCES, name)),
    ...{ bundle: true, minify: true, target: 'es2022', charset: 'utf8', external: ['*.woff2'] },
    ...{ outdir: TARGET, logLevel: 'warning' },
  });

const own = await partsOf(COMMON);
const pages = await Promise.all([...PAGE_SCRIPTS].map(partsOf));
const shared = (await Promise.all(pages.map(sharedModules))).flat();
/** The modules that the common script contains: its own modules, and those that scripts of a page have in common. */
const common = [...new Set([...own.modules, ...shared])];
await checkExports(common);
const contents = common.map((name) => `export * from './${name}';`).join('\n');
// Modules without a bundle keep their addresses, because service workers of earlier versions request them.
await Promise.all([...filesIn(SOURCES, '.js').map(minify), bundleSheets()]);
write(COMMON, await bundled({ contents }));
write(WORKER, await bundled(WORKER));
for (const script of [...PAGE_SCRIPTS, ...pages.flatMap(({ laterScripts }) => laterScripts)]) {
  write(script, await bundled(script, [fromCommon(common)]));
}
// The name of the common script depends on the scripts that it loads later, so they cannot import it.
for (const script of own.laterScripts) {
  write(script, await bundled(script));
}
