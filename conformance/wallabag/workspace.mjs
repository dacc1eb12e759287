// A check's workspace: a client with tokens, entries that only this check has saved, and their removal.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { call } from '../call.mjs';

const MOST_ROUNDS = 5;
/** How long a server may take for work after its answer. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 250;

/** Tokens of a run. Apps log in at each sync, but checks can share tokens. */
const kept = new WeakMap();

export class WallabagWorkspace {
  /** Part of every URL and tag of this check. */
  marker = `conformance${randomBytes(6).toString('hex')}`;
  #pages = 0;
  #hasSaved = false;

  constructor(target) {
    const { base, clientId, clientSecret, username, password } = target;
    this.base = base.replace(/\/+$/, '');
    this.target = target;
    this.client = { client_id: clientId, client_secret: clientSecret };
    this.person = { username, password };
  }

  /** Sends a call without credentials. */
  raw(path, options = {}) {
    return call(this.base, path, { method: 'GET', ...options });
  }

  /** Requests tokens. Sends JSON unless the options choose a form or a query. */
  token(members, options = {}) {
    return this.raw('/oauth/v2/token', {
      ...{ method: 'POST', members: { ...this.client, ...members } },
      ...options,
    });
  }

  logIn(members = {}, options = {}) {
    return this.token({ grant_type: 'password', ...this.person, ...members }, options);
  }

  /** Returns the tokens of this run's first login. */
  async tokens() {
    if (!kept.has(this.target)) kept.set(this.target, await this.ok(this.logIn()));
    return kept.get(this.target);
  }

  /** Sends a call below /api with the token in its header. */
  async call(method, path, { headers, ...options } = {}) {
    const { access_token: token } = await this.tokens();
    const sent = { Authorization: `Bearer ${token}`, ...headers };
    return this.raw(`/api/${path}`, { method, headers: sent, ...options });
  }

  get(path, query) {
    return this.call('GET', path, { query });
  }

  /** Returns the answer of a call that must succeed. */
  async ok(answering) {
    const answer = await answering;
    assert.equal(answer.status, 200, `status ${answer.status}: ${answer.text.slice(0, 200)}`);
    assert.notEqual(answer.body, undefined, `no JSON: ${answer.text.slice(0, 200)}`);
    return answer.body;
  }

  url() {
    this.#pages += 1;
    return `https://example.com/${this.marker}/${this.#pages}`;
  }

  saving(members = {}, options = {}) {
    this.#hasSaved = true;
    const sent = { url: this.url(), ...members };
    return this.call('POST', 'entries', { members: sent, ...options });
  }

  /** Saves a page and returns its entry. */
  save(members, options) {
    return this.ok(this.saving(members, options));
  }

  change(id, members, options) {
    return this.ok(this.call('PATCH', `entries/${id}`, { members, ...options }));
  }

  /** Polls a condition. Returns true if it became true in time. */
  async until(isTrue) {
    const rounds = (this.target.patienceMs ?? PATIENCE_MS) / PAUSE_MS;
    for (let round = 0; round < rounds; round += 1) {
      if (await isTrue()) return true;
      await setTimeout(PAUSE_MS);
    }
    return false;
  }

  entry(id) {
    return this.ok(this.get(`entries/${id}`));
  }

  /** Fetches a page of a list. */
  list(query) {
    return this.ok(this.get('entries', query));
  }

  /** Deletes all entries of this check. Returns the number of remaining entries. */
  async clear() {
    if (!this.#hasSaved) return 0;
    let mine = await this.#mine();
    for (let round = 0; round < MOST_ROUNDS && mine.length > 0; round += 1) {
      for (const { id } of mine) await this.call('DELETE', `entries/${id}`);
      mine = await this.#mine();
    }
    return mine.length;
  }

  /** The entries of this check are the newest in the list. */
  async #mine() {
    const query = { page: 1, perPage: 300, detail: 'metadata' };
    const { body } = await this.get('entries', query);
    const items = body?._embedded?.items ?? [];
    return items.filter(({ given_url, url }) => `${given_url} ${url}`.includes(this.marker));
  }
}
