import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { Describes, digits, objectOf, paramsOf, ref, text } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { textReader } from '../../pocket-api/param-readers.js';
import { CustomParam, IdParam, RequiredParam } from '../../pocket-api/params.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { ITEM_ID } from '../get/item.openapi.js';
import type { Address } from '../list/address.js';
import type { ItemReference } from '../list/list-state.js';
import { readAddress } from '../list-param-readers.js';
import { Snapshots } from './snapshots.service.js';

/** The maximum length of the HTML in UTF-16 units. The setting SNAPSHOT_MAX_MB limits the bytes. */
const MAX_LENGTH = 12 * 1024 * 1024;
const MS = 1000;

/** The parameters of `/v3/snapshot`. */
class SnapshotRequest {
  @IdParam({ description: 'The id of an item in the list. The id wins over `url`.' })
  item_id?: string;

  @CustomParam(readAddress, {
    type: 'string',
    maxLength: 4096,
    description: 'The URL of an item in the list, in any spelling.',
  })
  url?: Address;

  @RequiredParam(textReader({ max: MAX_LENGTH }), {
    type: 'string',
    description:
      'The page as one HTML document, with its styles and with its pictures as `data:` addresses.',
  })
  html!: string;

  toReference(): ItemReference {
    if (this.item_id !== undefined) {
      return { itemId: this.item_id };
    }
    if (this.url === undefined) {
      throw new ValidationFailedError(['url or item_id is missing']);
    }
    return { address: this.url };
  }
}

/** The response of `/v3/snapshot`. */
interface SnapshotResponse {
  readonly snapshot_id: string;
  readonly item_id: string;
  readonly time_created: string;
  readonly status: 1;
}

const SNAPSHOT_OPERATION = v3Operation({
  id: 'snapshot',
  summary: 'Store a snapshot of a page',
  description:
    'Permission: add. Stores a page as one HTML document, as the browser of the user has shown it. The page must be in the list. An item has at most five snapshots, and a further one replaces the oldest one. The setting `SNAPSHOT_MAX_MB` limits the size of a snapshot. The compressed HTML counts towards the storage limit of the user. The service removes scripts and everything from other servers each time it shows a snapshot.',
  request: {
    name: 'SnapshotRequest',
    params: paramsOf(SnapshotRequest),
    description: 'A body of at most 12 MB.',
    examples: {
      item: {
        summary: 'A snapshot of an item',
        body: {
          item_id: '5952284834408592',
          html: '<!doctype html><title>Example Domains</title><p>Example Domains',
        },
        answer: {
          snapshot_id: '0b6f3c1e-7d3c-4a57-9d4e-0a5c7f1b2c3d',
          item_id: '5952284834408592',
          time_created: '1763800010',
          status: 1,
        },
      },
      unknown: {
        summary: 'An item that is not in the list',
        body: { item_id: '1', html: '<p>Text' },
        status: 404,
      },
      wrong: { summary: 'A call without `html`', body: { item_id: '1' }, status: 400 },
    },
  },
  answer: {
    status: 200,
    description: 'The snapshot is stored.',
    content: { 'application/json': ref('StoredSnapshot') },
  },
  errors: ['item_not_found', 'storage_full'],
  schemas: {
    StoredSnapshot: objectOf<SnapshotResponse>({
      snapshot_id: text('The id of the snapshot, a UUID. `/snapshots/ID` shows the snapshot.'),
      item_id: ITEM_ID,
      time_created: digits('The time at which the snapshot was stored, in Unix seconds.'),
      status: { const: 1 },
    }),
  },
});

/** Serves POST /v3/snapshot (docs/api/snapshot.md). */
@Controller()
export class SnapshotController {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly config: Config,
  ) {}

  @V3Route('snapshot')
  @RequirePermission(Permission.Add)
  @Describes(SNAPSHOT_OPERATION)
  async store(
    @CurrentPrincipal() { userId }: Principal,
    @Body() request: SnapshotRequest,
    @Res() response: Response,
  ): Promise<void> {
    response.set('X-Snapshot-Limit', String(this.config.snapshotLimitBytes));
    const stored = await this.snapshots.add(userId, request.toReference(), request.html);
    const answer: SnapshotResponse = {
      snapshot_id: stored.snapshotId,
      item_id: stored.itemId,
      time_created: String(Math.floor(stored.createdAt.getTime() / MS)),
      status: 1,
    };
    sendV3(response, 200, answer);
  }
}
