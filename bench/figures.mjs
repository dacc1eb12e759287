// What a benchmark found, as a file for bench/report.mjs beside what it prints. Ratios are what reports are compared by.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** The option that every benchmark has. */
export const JSON_OPTION = { json: { type: 'string', default: '' } };

/** Writes the figures where a file was named; `ratios` are numbers by their names. */
export function keepFigures(file, { ratios = {}, ...figures }) {
  if (file === '') return;
  const load = Number(loadavg()[0].toFixed(1));
  writeFileSync(file, JSON.stringify({ load, ratios, ...figures }));
}
