// Copies the files that the service reads of two large libraries to dist (docs/decisions/0133). Part of `npm run build`.
// Both libraries are development packages, so an installed Satchel does not contain the rest of their files. The names
// #pdfjs-dist and #swagger-ui-dist mean the packages in the sources (package.json), and the copies in dist.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LIBRARIES = {
  'pdfjs-dist': [
    ...[
      'legacy/build/pdf.mjs',
      'legacy/build/pdf.worker.mjs',
      'cmaps',
      'standard_fonts',
      'LICENSE',
    ],
  ],
  'swagger-ui-dist': [
    ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'],
    ...['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'],
  ],
};
const FOLDER = 'libraries';

for (const [library, paths] of Object.entries(LIBRARIES)) {
  for (const path of paths) {
    const target = join('dist', FOLDER, library, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join('node_modules', library, path), target, { recursive: true });
  }
}

// The service draws nothing. Without this change, the library would print a warning that it cannot draw.
const PDF = join('dist', FOLDER, 'pdfjs-dist', 'legacy', 'build', 'pdf.mjs');
const CANVAS = 'canvas = require("@napi-rs/canvas");';
const code = readFileSync(PDF, 'utf8');
if (!code.includes(CANVAS)) {
  throw new Error(`pdfjs-dist has another way to load its canvas: ${PDF}`);
}
writeFileSync(PDF, code.replace(CANVAS, 'canvas = {};'));

const imports = Object.fromEntries(
  Object.keys(LIBRARIES).map((library) => [`#${library}/*`, `./${FOLDER}/${library}/*`]),
);
writeFileSync(join('dist', 'package.json'), `${JSON.stringify({ type: 'module', imports })}\n`);
