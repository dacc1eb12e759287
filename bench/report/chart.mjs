// Draws SVG charts without a browser: line charts and dot charts. Colors follow the reader's light or dark scheme. The
// series also differ in brightness, for readers who are color-blind.
const WIDTH = 800;
const LEFT = 64;
const RIGHT = 24;
const ROW = 26;
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: var(--ink); }
  .title { font-size: 16px; font-weight: 600; }
  .soft { fill: var(--soft); font-size: 12px; }
  .card { fill: var(--card); }
  .grid { stroke: var(--grid); stroke-width: 1; }
  .line { fill: none; stroke-width: 2.25; stroke-linejoin: round; }
  .span { stroke: var(--grid); stroke-width: 5; stroke-linecap: round; }
  svg { --ink: #1f2328; --soft: #59636e; --card: #ffffff; --grid: #d9dee3;
    --c0: #0550ae; --c1: #d4600a; --c2: #1a7f5a; --c3: #a3307f; --c4: #6e7781; --c5: #8a6d00; }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #e6edf3; --soft: #9aa4af; --card: #0d1117; --grid: #30363d;
      --c0: #6cb6ff; --c1: #ffa657; --c2: #56d4a0; --c3: #f08fd0; --c4: #9aa4af; --c5: #e3c545; } }`;

const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (sign) => `&#${String(sign.codePointAt(0))};`);
const round = (number) => Number(number.toFixed(1));

function figure(number) {
  if (number >= 1000) return number.toLocaleString('en');
  return String(Number(number.toPrecision(3)));
}

const text = (x, y, words, { anchor = 'start', of = '' } = {}) =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${of && ` class="${of}"`}>${escaped(words)}</text>`;
const line = (from, to, of) =>
  `<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" class="${of}"/>`;
const dot = ([x, y], at, value) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="4.5" style="fill:var(--c${at})"><title>${escaped(value)}</title></circle>`;

/** Powers of ten, with steps in between on short scales. */
function logTicks(low, high) {
  const steps = Math.log10(high / low) > 2.5 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    ticks.push(...steps.map((step) => step * 10 ** power));
  }
  const from = ticks.findLast((tick) => tick <= low * 1.0001);
  const to = ticks.find((tick) => tick >= high * 0.9999);
  return ticks.filter((tick) => tick >= from && tick <= to);
}

function plainTicks(high) {
  const step = 10 ** Math.floor(Math.log10(high / 2));
  const wide = [1, 2, 5, 10].map((by) => by * step).find((by) => high / by <= 6);
  return Array.from({ length: Math.ceil(high / wide - 1e-9) + 1 }, (_, at) =>
    Number((at * wide).toPrecision(6)),
  );
}

/** Maps values to positions between two edges of the picture. */
function scaleOf(values, { isLog = false, ticks: given }, [from, to]) {
  const known = values.filter((value) => !isLog || value > 0);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const ticks = given ?? (isLog ? logTicks(low, high) : plainTicks(high));
  const way = isLog ? Math.log : Number;
  const [first, last] = [Math.min(low, ticks[0]), Math.max(high, ticks.at(-1))].map(way);
  const at = (value) => from + ((way(value) - first) / (last - first || 1)) * (to - from);
  return { ticks, at };
}

/** Lays out the names of the series in as many rows as needed. */
function legend(names, top) {
  let [x, y] = [LEFT, top];
  const parts = names.map((name, at) => {
    const wide = 34 + name.length * 7.2;
    if (x + wide > WIDTH - RIGHT) [x, y] = [LEFT, y + 20];
    const part = `${dot([x + 5, y - 4], at, name)}${text(x + 16, y, name)}`;
    x += wide;
    return part;
  });
  return { svg: parts.join(''), bottom: y };
}

function picture({ title, note = '' }, height, parts) {
  const words = `${title}. ${note}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(words)}">` +
    `<style>${STYLE}</style><rect class="card" width="${WIDTH}" height="${height}" rx="8"/>` +
    `${text(LEFT, 30, title, { of: 'title' })}${text(LEFT, 50, note, { of: 'soft' })}${parts.join('\n')}</svg>\n`
  );
}

/** `series` has at most six members `{ name, points: [[x, y], …] }`. */
export function lineChart({ title, note, x, y, series }) {
  const names = legend(
    series.map(({ name }) => name),
    76,
  );
  const [top, bottom] = [names.bottom + 42, names.bottom + 342];
  const points = series.flatMap((one) => one.points);
  const across = scaleOf(
    points.map(([value]) => value),
    x,
    [LEFT, WIDTH - RIGHT - 20],
  );
  const up = scaleOf(
    points.map(([, value]) => value),
    y,
    [bottom, top],
  );
  const grid = up.ticks.flatMap((tick) => [
    line([LEFT, up.at(tick)], [WIDTH - RIGHT, up.at(tick)], 'grid'),
    text(LEFT - 8, up.at(tick) + 4, figure(tick), { anchor: 'end', of: 'soft' }),
  ]);
  const below = across.ticks.map((tick) =>
    text(across.at(tick), bottom + 20, figure(tick), { anchor: 'middle', of: 'soft' }),
  );
  const drawn = series.map((one, at) => {
    const places = one.points.map(([a, b]) => [across.at(a), up.at(b)]);
    const path = places.map((place) => place.map(round).join(',')).join(' ');
    const dots = places.map((place, nth) =>
      dot(place, at, `${one.name}: ${figure(one.points[nth][1])} at ${figure(one.points[nth][0])}`),
    );
    return `<polyline class="line" style="stroke:var(--c${at})" points="${path}"/>${dots.join('')}`;
  });
  const axes = [
    text(LEFT - 8, top - 14, y.label, { of: 'soft' }),
    text(WIDTH - RIGHT, bottom + 42, x.label, { anchor: 'end', of: 'soft' }),
  ];
  return picture({ title, note }, bottom + 58, [names.svg, ...grid, ...below, ...axes, ...drawn]);
}

/** `rows` has members `{ name, values: [number or null, …] }`, with one value per name in `series`, at most six. */
export function dotChart({ title, note, x, series, rows }) {
  const left = 40 + Math.max(...rows.map(({ name }) => name.length)) * 7;
  const names = legend(series, 76);
  const top = names.bottom + 28;
  const bottom = top + rows.length * ROW;
  const known = (values) => values.filter((value) => value !== null);
  const across = scaleOf(known(rows.flatMap(({ values }) => values)), x, [
    left,
    WIDTH - RIGHT - 20,
  ]);
  const grid = across.ticks.flatMap((tick) => [
    line([across.at(tick), top - 8], [across.at(tick), bottom], 'grid'),
    text(across.at(tick), bottom + 18, figure(tick), { anchor: 'middle', of: 'soft' }),
  ]);
  const drawn = rows.map(({ name, values }, nth) => {
    const height = top + (nth + 0.5) * ROW;
    const places = known(values).map((value) => across.at(value));
    const span = line([Math.min(...places), height], [Math.max(...places), height], 'span');
    const dots = values.map((value, at) =>
      value === null
        ? ''
        : dot([across.at(value), height], at, `${name}, ${series[at]}: ${figure(value)}`),
    );
    return `${text(left - 14, height + 4, name, { anchor: 'end' })}${span}${dots.toReversed().join('')}`;
  });
  const axis = text(WIDTH - RIGHT, bottom + 38, x.label, { anchor: 'end', of: 'soft' });
  return picture({ title, note }, bottom + 54, [names.svg, ...grid, ...drawn, axis]);
}
