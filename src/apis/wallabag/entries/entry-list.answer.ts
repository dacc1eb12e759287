import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { NotFoundException } from '@nestjs/common';
import type { Response } from 'express';

import type { PageWanted } from './entries.request.js';
import type { EntryResponse } from './entry.presenter.js';

interface Link {
  readonly href: string;
}

/** What a page of a list says beside its entries. */
interface ListEnvelope {
  readonly page: number;
  readonly limit: number;
  readonly pages: number;
  readonly total: number;
  readonly _links: Readonly<Record<string, Link>>;
}

/** Where a list is, and which of it is shown. */
interface ListPlace {
  /** With a scheme. */
  readonly address: string;
  /** What the list is narrowed by, without the page. */
  readonly filters: URLSearchParams;
  readonly page: PageWanted;
  readonly total: number;
  /** The page is there, whatever the total. */
  readonly isPromised: boolean;
}

/** Some clients read until a page is 404, others divide by `pages`. Throws NotFoundException. */
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

/** The parameters as a client may send them again; those that are absent are left out. */
export function filtersOf(params: object): URLSearchParams {
  const filters = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>({ ...params })) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      filters.set(name, typeof value === 'boolean' ? String(Number(value)) : String(value));
    }
  }
  return filters;
}

/** Sends a page as it is made: the texts of its entries may be more than memory holds. */
export async function sendEntryList(
  response: Response,
  envelope: ListEnvelope,
  entries: AsyncGenerator<EntryResponse>,
): Promise<void> {
  // What fails before the first entry can still be answered with an error.
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

/** The client did not wait for the end. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
