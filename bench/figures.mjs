// Stores the results of a benchmark in a file for bench/report.mjs, in addition to printing them. Reports are compared
// by their ratios.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** An option of every benchmark. */
export const JSON_OPTION = { json: { type: 'string', default: '' } };

/** Writes the results if a file is given. `ratios` maps names to numbers. */
export function keepFigures(file, { ratios = {}, ...figures }) {
  if (file === '') return;
  const load = Number(loadavg()[0].toFixed(1));
  writeFileSync(file, JSON.stringify({ load, ratios, ...figures }));
}
