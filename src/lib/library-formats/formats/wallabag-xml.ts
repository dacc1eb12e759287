import { xmlFormat } from '../reading/xml-format.js';
import { mark, rootMark } from '../recognition.js';
import { WALLABAG_LEFT_OUT, wallabagItem } from './wallabag.js';

/** wallabag's XML export, with the fields of its JSON as elements. */
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
