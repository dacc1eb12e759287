import { Body, Controller, RequestMethod } from '@nestjs/common';

import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../../auth/consumers/principal.js';
import { ValidationFailedError } from '../../../platform/common/common.errors.js';
import { type Reader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam, FlagParam, TextParam } from '../../../pocket-api/params.js';
import { WallabagRoute } from '../wallabag-route.js';
import { KnownUrls } from './known-urls.service.js';

const MAX_URL = 8192;
const MOST = 2000;

/**
 * Reads an array of texts. A single text is read as an array with one element, because some clients send a single text.
 */
const readTexts: Reader<readonly string[]> = (value) => {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isList = texts.length <= MOST && texts.every((text) => typeof text === 'string');
  return isList ? texts.map(String) : new Unreadable(`must be a list of at most ${MOST} texts`);
};

/** The parameters of the call `entries/exists`. */
class ExistsRequest {
  @TextParam({ max: MAX_URL })
  url?: string;

  @CustomParam(readTexts)
  urls?: readonly string[];

  @TextParam({ max: MAX_URL })
  hashed_url?: string;

  @CustomParam(readTexts)
  hashed_urls?: readonly string[];

  @FlagParam()
  return_id?: boolean;
}

type Found = ReadonlyMap<string, number>;

/**
 * The result for one URL or hash. If the client requests ids, the result is the numeric id of the entry, or null if
 * there is no entry. Otherwise, the result is true if the entry exists.
 */
type Existence = boolean | number | null;

/** Reports which URLs are in the list (docs/api/wallabag.md, "Entries"). */
@Controller('wallabag/api')
export class ExistsController {
  constructor(private readonly known: KnownUrls) {}

  @WallabagRoute(RequestMethod.GET, 'entries/exists', Permission.Retrieve)
  async exists(
    @CurrentPrincipal() principal: Principal,
    @Body() { return_id: asId = false, ...asked }: ExistsRequest,
  ): Promise<Readonly<Record<string, Existence>>> {
    const { urls, hashes, only } = askedFor(asked);
    const found = new Map([
      ...(await this.known.byUrl(principal, urls)),
      ...(await this.known.byHash(principal, hashes)),
    ]);
    const answers = [...urls, ...hashes].map((key) => [key, answerOf(found, key, asId)] as const);
    return only === undefined
      ? Object.fromEntries(answers)
      : { exists: answerOf(found, only, asId) };
  }
}

interface Asked {
  readonly urls: readonly string[];
  readonly hashes: readonly string[];
  /** The single URL or hash in the request. Undefined if the request contains a list. */
  readonly only: string | undefined;
}

/**
 * Returns the URLs or hashes to look up. If the request contains both a single value and an array, uses the single
 * value. If the request contains both a single URL and a single hash, uses the URL.
 *
 * @throws ValidationFailedError if the request has no URL and no hash
 */
function askedFor(asked: Omit<ExistsRequest, 'return_id'>): Asked {
  const { url, urls = [], hashed_url: hash, hashed_urls: hashes = [] } = asked;
  if (url !== undefined) {
    return { urls: [url], hashes: [], only: url };
  }
  if (hash !== undefined) {
    return { urls: [], hashes: [hash], only: hash };
  }
  if (urls.length + hashes.length === 0) {
    throw new ValidationFailedError(['url, urls, hashed_url or hashed_urls must be given']);
  }
  return { urls, hashes, only: undefined };
}

function answerOf(found: Found, key: string, asId: boolean): Existence {
  const number = found.get(key);
  return asId ? (number ?? null) : number !== undefined;
}
