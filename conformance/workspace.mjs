// What a check works with: the credentials, pages that nobody else has saved, and their removal.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

import { call } from './call.mjs';

const MOST_ROUNDS = 50;

export class Workspace {
  /** Part of every URL and tag that this run makes. */
  marker = `conformance${randomBytes(6).toString('hex')}`;
  #pages = 0;

  constructor({ base, consumerKey, accessToken, code, spendLimit }) {
    this.base = base;
    this.credentials = { consumer_key: consumerKey, access_token: accessToken };
    this.code = code;
    this.spendLimit = spendLimit;
  }

  /** A call with the credentials among its members. */
  call(path, members = {}, options = {}) {
    return call(this.base, path, { members: { ...this.credentials, ...members }, ...options });
  }

  /** A call with nothing but what is said. */
  raw(path, options) {
    return call(this.base, path, options);
  }

  get(members, options) {
    return this.call('/v3/get', members, options);
  }

  send(actions, options) {
    return this.call('/v3/send', { actions }, options);
  }

  /** The answer of a call that has to succeed. */
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

  /** Saves a page, and gives its id. */
  async save(members = {}) {
    const { item } = await this.ok(this.call('/v3/add', { url: this.url(), ...members }));
    return String(item.item_id);
  }

  /** The items of this run that an answer lists; `list` may be an object or, wrongly, an array. */
  async mine(members = {}) {
    const { list } = await this.ok(this.get({ state: 'all', search: this.marker, ...members }));
    return list;
  }

  async item(id, members = { detailType: 'complete' }) {
    const item = (await this.mine(members))[id];
    assert.ok(item, `item ${id} is not in the list under its id`);
    return item;
  }

  /** Deletes every item of this run; gives how many are left. */
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
