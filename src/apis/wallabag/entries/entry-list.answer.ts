import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { NotFoundException } from '@nestjs/common';
import type { Response } from 'express';

import type { PageWanted } from './entries.request.js';
import type { EntryResponse } from './entry.presenter.js';

interface Link {
  readonly href: string;
}

/** The properties of a response with several entries, without the entries themselves. */
interface ListEnvelope {
  readonly page: number;
  readonly limit: number;
  readonly pages: number;
  readonly total: number;
  readonly _links: Readonly<Record<string, Link>>;
}

/** The address of a list of entries, its filters and the requested page. */
interface ListPlace {
  /** The complete address of the list, with its scheme. */
  readonly address: string;
  /** The parameters that filter the list. Does not contain the parameters that select the page. */
  readonly filters: URLSearchParams;
  readonly page: PageWanted;
  readonly total: number;
  /**
   * True if the number of pages in an earlier response included this page. A request for this page
   * then succeeds, even if entries have been removed and the page no longer exists.
   */
  readonly isPromised: boolean;
}

/**
 * Returns the page numbers and links of a response with several entries. `pages` is at least 1, because some clients
 * divide by this number.
 *
 * @throws NotFoundException if the page is after the last one, because some clients request pages until they get a 404
 */
export function envelopeOf({ address, filters, page, ...list }: ListPlace): ListEnvelope {
  const { total, isPromised } = list;
  const pages = Math.max(isPromised ? page.page : 1, Math.ceil(total / page.perPage));
  if (page.page > pages) {
    throw new NotFoundException();
  }
  const link = (number: number): Link => {
    const query = new URLSearchParams(filters);
    query.set('page', String(number));
    query.set('perPage', String(page.perPage));
    return { href: `${address}?${query.toString()}` };
  };
  return {
    page: page.page,
    limit: page.perPage,
    pages,
    total,
    _links: {
      self: link(page.page),
      first: link(1),
      last: link(pages),
      ...(page.page < pages && { next: link(page.page + 1) }),
      ...(page.page > 1 && { previous: link(page.page - 1) }),
    },
  };
}

/**
 * Returns the parameters of a request as a query for the links to other pages of the list. Leaves
 * out missing parameters.
 */
export function filtersOf(params: object): URLSearchParams {
  const filters = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>({ ...params })) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      filters.set(name, typeof value === 'boolean' ? String(Number(value)) : String(value));
    }
  }
  return filters;
}

/** Sends a page of entries as a stream, because the texts of all articles on the page may not fit into memory. */
export async function sendEntryList(
  response: Response,
  envelope: ListEnvelope,
  entries: AsyncGenerator<EntryResponse>,
): Promise<void> {
  // Loads the first entry before the headers are sent, so that a failure can still return an error status.
  const first = await entries.next();
  response.setHeader('cache-control', 'private, no-cache');
  response.setHeader('content-type', 'application/json');
  try {
    await pipeline(Readable.from(written(envelope, first, entries)), response);
  } catch (error) {
    if (!isGone(error)) {
      throw error;
    }
  }
}

async function* written(
  envelope: ListEnvelope,
  first: IteratorResult<EntryResponse>,
  entries: AsyncGenerator<EntryResponse>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(envelope).slice(0, -1)},"_embedded":{"items":[`;
  if (first.done !== true) {
    yield JSON.stringify(first.value);
  }
  for await (const entry of entries) {
    yield `,${JSON.stringify(entry)}`;
  }
  yield ']}}';
}

/** Returns true if the client closed the connection early. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
