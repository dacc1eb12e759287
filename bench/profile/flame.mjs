// Draws a .cpuprofile as an SVG flame graph. Each function is a box below its callers, as wide as its time.
import { selfTimes } from './layers.mjs';

const WIDTH = 1200;
const ROW = 15;
const HEAD = 22;
/** Width of a letter, in pixels. */
const LETTER = 6.2;
/** Omits the thousands of boxes that are too narrow to read. */
const NARROWEST = 1.2;
const NOT_WORK = new Set(['(idle)']);

const COLOURS = [
  [/\/dist\/src\//, '#f2b46d'],
  [/\/node_modules\/pg|\/node_modules\/typeorm/, '#a8c8e8'],
  [/\/node_modules\//, '#e8d89a'],
  [/^node:/, '#b9d6b0'],
  [/./, '#dddddd'],
];

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Shortens paths to `src/platform/throttling/call-leases.js` or `pg/lib/client.js`. */
const shortFile = (url) =>
  url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/dist\//, '')
    .replace(/^file:\/\/.*\//, '');

/** Merges calls of the same function with the same callers. */
function merged(profile) {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const self = selfTimes(profile);
  const boxOf = (nodes) => {
    const children = new Map();
    for (const id of nodes.flatMap((node) => node.children ?? [])) {
      const { functionName, url } = byId.get(id).callFrame;
      if (NOT_WORK.has(functionName)) continue;
      const key = `${functionName}\n${url}`;
      children.set(key, [...(children.get(key) ?? []), byId.get(id)]);
    }
    const boxes = [...children.values()].map(boxOf).toSorted((a, b) => b.us - a.us);
    const own = nodes.reduce((sum, { id }) => sum + (self.get(id) ?? 0), 0);
    const { functionName, url } = nodes[0].callFrame;
    const us = boxes.reduce((sum, box) => sum + box.us, own);
    return { name: functionName || '(anonymous)', url, us, boxes };
  };
  return boxOf([profile.nodes[0]]);
}

const depthOf = ({ boxes }, isWide) =>
  1 + Math.max(0, ...boxes.filter(isWide).map((box) => depthOf(box, isWide)));

/** Returns the SVG. The tooltip of a box shows function, file and share. */
export function flameGraph(profile, title) {
  const root = merged(profile);
  const scale = WIDTH / root.us;
  const isWide = ({ us }) => us * scale >= NARROWEST;
  const height = HEAD + ROW * depthOf(root, isWide);
  const drawn = [];
  const draw = (box, x, depth) => {
    const width = box.us * scale;
    const file = shortFile(box.url);
    const share = ((100 * box.us) / root.us).toFixed(1);
    const [, colour] = COLOURS.find(([files]) => files.test(box.url || '-'));
    const y = HEAD + ROW * depth;
    const about = escaped(`${box.name} ${file} ${share} %`);
    const letters = Math.floor(width / LETTER) - 1;
    const label = letters < 3 ? '' : escaped(box.name.slice(0, letters));
    drawn.push(
      `<g><title>${about}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, width - 0.4).toFixed(1)}" height="${ROW - 1}" fill="${colour}"/>` +
        (label && `<text x="${(x + 3).toFixed(1)}" y="${y + 11}">${label}</text>`) +
        '</g>',
    );
    let from = x;
    for (const child of box.boxes.filter(isWide)) {
      draw(child, from, depth + 1);
      from += child.us * scale;
    }
  };
  draw(root, 0, 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">
<rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="3" y="14" font-size="12">${escaped(title)}</text>
${drawn.join('\n')}
</svg>
`;
}
