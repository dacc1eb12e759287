// A check's workspace: credentials, pages that only this run has saved, and their removal.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

import { call } from './call.mjs';

const MOST_ROUNDS = 50;

export class Workspace {
  /** Part of every URL and tag of this run. */
  marker = `conformance${randomBytes(6).toString('hex')}`;
  #pages = 0;

  constructor({ base, consumerKey, accessToken, code, spendLimit }) {
    this.base = base;
    this.credentials = { consumer_key: consumerKey, access_token: accessToken };
    this.code = code;
    this.spendLimit = spendLimit;
  }

  /** Sends a call with the credentials in its members. */
  call(path, members = {}, options = {}) {
    return call(this.base, path, { members: { ...this.credentials, ...members }, ...options });
  }

  /** Sends a call without credentials. */
  raw(path, options) {
    return call(this.base, path, options);
  }

  get(members, options) {
    return this.call('/v3/get', members, options);
  }

  send(actions, options) {
    return this.call('/v3/send', { actions }, options);
  }

  /** Returns the answer of a call that must succeed. */
  async ok(answering) {
    const answer = await answering;
    assert.equal(answer.status, 200, `status ${answer.status}: ${answer.text.slice(0, 200)}`);
    assert.ok(answer.body, `no JSON: ${answer.text.slice(0, 200)}`);
    return answer.body;
  }

  url() {
    this.#pages += 1;
    return `https://example.com/${this.marker}/${this.#pages}`;
  }

  /** Saves a page and returns its id. */
  async save(members = {}) {
    const { item } = await this.ok(this.call('/v3/add', { url: this.url(), ...members }));
    return String(item.item_id);
  }

  /** Returns the items of this run. `list` may be an object or, incorrectly, an array. */
  async mine(members = {}) {
    const { list } = await this.ok(this.get({ state: 'all', search: this.marker, ...members }));
    return list;
  }

  async item(id, members = { detailType: 'complete' }) {
    const item = (await this.mine(members))[id];
    assert.ok(item, `item ${id} is not in the list under its id`);
    return item;
  }

  /** Deletes all items of this run. Returns the number of remaining items. */
  async clear() {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const ids = idsOf((await this.get({ state: 'all', search: this.marker })).body?.list);
      if (ids.length === 0) return 0;
      await this.send(ids.map((item_id) => ({ action: 'delete', item_id })));
    }
    return idsOf((await this.get({ state: 'all', search: this.marker })).body?.list).length;
  }
}

const idsOf = (list) =>
  Object.values(list ?? {})
    .filter(({ status }) => String(status) !== '2')
    .map(({ item_id }) => String(item_id));
