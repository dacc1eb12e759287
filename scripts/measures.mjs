// Measures the limits that docs/develop/architecture.md sets: node scripts/measures.mjs
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOMS = 'cli,app,web,apis,transfer,articles,reading-list,auth,pocket-api,platform,lib'.split(
  ',',
);

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean);
const isSource = (file) => /^src\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts');
const texts = new Map(tracked.filter(isSource).map((file) => [file, readFileSync(file, 'utf8')]));
const topOf = (folder) =>
  new Set(
    tracked
      .filter((file) => file.startsWith(folder))
      .map((file) => file.slice(folder.length).split('/', 1)[0]),
  );
const count = (pattern) =>
  [...texts.values()].reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
const roomOf = (file) => file.split('/')[1];

const importers = new Map();
const arrows = new Map();
for (const [file, text] of texts) {
  for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)) {
    const imported = normalize(join(dirname(file), `${path}.ts`));
    importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    const [from, to] = [roomOf(file), roomOf(imported)];
    if (from !== to && ROOMS.includes(from) && ROOMS.includes(to)) {
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
}
const pairs = [...arrows].flatMap(([from, all]) => [...all].map((to) => [from, to]));
const back = pairs.filter(([from, to]) => ROOMS.indexOf(to) < ROOMS.indexOf(from));

/** The longest dependency chain below each room. */
const floors = new Map();
for (const room of ROOMS.toReversed()) {
  const below = [...(arrows.get(room) ?? [])].map((one) => floors.get(one) ?? 0);
  floors.set(room, 1 + Math.max(0, ...below));
}

const single = [...importers].filter(
  ([file, users]) =>
    texts.has(file) &&
    users.size === 1 &&
    [...users].every((user) => dirname(user) === dirname(file)),
);
const top = [...topOf('src/')];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

const rows = {
  'folders at the top of src': top.filter((name) => !name.includes('.')).length,
  'files at the top of src': top.filter((name) => name.includes('.')).length,
  floors: Math.max(...floors.values()),
  'arrows between rooms': pairs.length,
  'arrows back up': back.length,
  'entries at the root': topOf('').size,
  'lines of src without tests': [...texts.values()].reduce(
    (sum, text) => sum + text.split('\n').length - 1,
    0,
  ),
  'files imported by one file of the same folder': single.length,
  '@Res()': count(/@Res\(\)/g),
  'spreads of literals': count(/\.\.\.\{ /g),
  'npm scripts': Object.keys(scripts).length,
};
for (const [name, value] of Object.entries(rows)) {
  console.log(`${String(value).padStart(7)}  ${name}`);
}
