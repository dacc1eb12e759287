import { xmlFormat } from '../reading/xml-format.js';
import { mark, rootMark } from '../recognition.js';
import { WALLABAG_LEFT_OUT, wallabagItem } from './wallabag.js';

/** The format of wallabag's XML export. The elements have the same names as the fields in wallabag's JSON export. */
export const wallabagXml = xmlFormat({
  name: 'wallabag-xml',
  recognitions: [
    {
      has: [rootMark('result'), mark('entries with `is_archived`', /<is_archived>/)],
    },
  ],
  rowPath: ['result', 'entry'],
  leftOut: WALLABAG_LEFT_OUT,
  itemOf: wallabagItem,
});
