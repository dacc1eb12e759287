import { Controller, Param, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { EPUB_TYPE } from '../../../articles/epub/epub.service.js';
import { sendWhole } from '../../../articles/epub/epub-answers.js';
import { EpubDownloads } from '../../../articles/epub/epub-downloads.js';
import { plainTitle } from '../../../articles/epub/file-name.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import { Permission } from '../../../auth/consumers/permission.js';
import { escapeFormula } from '../../../lib/util/csv-formulas.js';
import { escapedXml } from '../../../lib/util/xml.js';
import { PageTexts } from '../../../reading-list/pages/page-texts.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { NoSuchFormatError } from '../wire/wallabag-answers.js';
import type { EntryResponse, EntryRow } from './entry.presenter.js';
import { EntryReader } from './entry-reader.service.js';

interface ExportedEntry {
  readonly userId: string;
  readonly row: EntryRow;
  readonly entry: EntryResponse;
}

interface ExportFormat {
  readonly contentType: string;
  readonly write: (exported: ExportedEntry) => Promise<string> | string;
}

const BOOK = 'epub';

/** Exports one entry as a file (docs/api/wallabag.md, "Files"). */
@Controller('wallabag/api')
export class ExportController {
  /** The export formats, keyed by file name extension. */
  private readonly formats: ReadonlyMap<string, ExportFormat> = new Map<string, ExportFormat>([
    ['txt', { contentType: 'text/plain; charset=UTF-8', write: (one) => this.text(one) }],
    ['md', { contentType: 'text/markdown; charset=UTF-8', write: (one) => this.markdown(one) }],
    ['csv', { contentType: 'text/csv; charset=UTF-8', write: ({ entry }) => csvOf(entry) }],
    ['xml', { contentType: 'application/xml', write: ({ entry }) => xmlOf(entry) }],
    ['json', { contentType: 'application/json', write: ({ entry }) => JSON.stringify([entry]) }],
  ]);

  constructor(
    private readonly reader: EntryReader,
    private readonly articles: ArticleReader,
    private readonly texts: PageTexts,
    private readonly downloads: EpubDownloads,
  ) {}

  @WallabagRoute(RequestMethod.GET, 'entries/:entry/export.:format', Permission.Retrieve)
  async export(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') number: string,
    @Param('format') name: string,
    @Res() response: Response,
  ): Promise<void> {
    const userId = String(user.id);
    const row = await this.reader.named(userId, number);
    const format = this.formats.get(name);
    if (format === undefined && name !== BOOK) {
      throw new NoSuchFormatError([...this.formats.keys()]);
    }
    const entry = await this.reader.presentOne(user, row, 'file');
    const send = (bytes: Buffer): Promise<void> => {
      response.setHeader('content-type', format?.contentType ?? EPUB_TYPE);
      response.setHeader('content-disposition', `attachment; filename="${fileName(entry, name)}"`);
      response.setHeader('content-description', 'File Transfer');
      response.setHeader('content-transfer-encoding', 'binary');
      response.setHeader('cache-control', 'private, no-cache');
      return sendWhole(response, bytes);
    };
    await (format === undefined
      ? this.downloads.article(response, { userId, row }, ({ bytes }) => send(bytes))
      : send(Buffer.from(await format.write({ userId, row, entry }))));
  }

  private async text({ row, entry }: ExportedEntry): Promise<string> {
    const texts = await this.texts.of([row.resolved_id]);
    return `${entry.title}\n${entry.url}\n\n${texts.get(row.resolved_id) ?? row.excerpt}\n`;
  }

  private async markdown({ entry }: ExportedEntry): Promise<string> {
    const text = await this.articles.markdown(entry.content ?? '');
    return `# ${entry.title.replaceAll(/\s+/g, ' ')}\n\n<${entry.url}>\n\n${text}`;
  }
}

const COLUMNS = ['Title', 'URL', 'Content', 'Tags', 'MIME Type', 'Language', 'Creation date'];
const LINE_ENDS = /\r\n|\r|\n/g;

/**
 * Returns an entry as CSV in wallabag's format: a line of column names and a line of values, separated by semicolons.
 */
async function csvOf(entry: EntryResponse): Promise<string> {
  const { title, url, content, tags, mimetype, language, created_at: createdAt } = entry;
  const text = (content ?? '').replaceAll(LINE_ENDS, ' ');
  const labels = tags.map(({ label }) => label).join(', ');
  const values = [title, url, text, labels, mimetype, language, createdAt];
  const { stringify } = await import('csv-stringify/sync');
  return stringify([COLUMNS, values], { delimiter: ';', cast: { string: escapeFormula } });
}

/** Returns an entry as XML, with one element per property. Each value in an array becomes an `entry` element. */
const xmlOf = (entry: EntryResponse): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('result', [entry])}\n`;

/** Returns an XML element for a property. All property names of an entry are valid XML names. */
const element = (name: string, value: unknown): string => `<${name}>${within(value)}</${name}>`;

function within(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((one) => element('entry', one)).join('');
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, member]) => element(name, member))
        .join('')
    : escapedXml(value ?? '');
}

/** Returns a file name with only characters that every file system accepts. */
const fileName = ({ title, id }: EntryResponse, end: string): string =>
  `${plainTitle(title) ?? `entry-${id}`}.${end}`;
