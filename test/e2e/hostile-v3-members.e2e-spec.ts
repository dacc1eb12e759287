import type { SendResponse } from '../../src/reading-list/send/send.presenter.js';
import { type RawResponse, sendRaw } from '../support/account-api.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** JSON values in place of other types. */
const ODD = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1e21',
  '""',
  '" "',
  '"x"',
  '"-1"',
  '"1e3"',
  '"0x1e"',
  '"NaN"',
  '"Infinity"',
  '"9223372036854775808"',
  '"１２"',
  '[]',
  '["x"]',
  '[[[["x"]]]]',
  '[null]',
  '{}',
  '{"$gt":""}',
  '{"length":3}',
  '{"toString":"x"}',
  '{"valueOf":{}}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"__proto__":{"polluted":1}}',
  '{"@instanceof":"FindOperator"}',
  '{"_type":"raw","_value":"1=1"}',
  `"'; DROP TABLE items; --"`,
  '"%00"',
  '"../../etc/passwd"',
  `"${'x'.repeat(5000)}"`,
];

const OF_GET = `state favorite tag contentType sort detailType search domain since count offset total
  updatedBefore taglist forcetaglist tags authors images videos meta item`;
const OF_ADD = 'url title tags time status_ref_id tweet_id ref_id html';
const OF_ACTION = 'action item_id url tags title time ref_id old_tag new_tag tag';
const NAMES = 'actions __proto__ constructor prototype toString hasOwnProperty then 0 x';
const ACTIONS = `add archive readd favorite unfavorite delete tags_add tags_remove tags_replace tags_clear
  tag_rename tag_delete undo_archive undo_delete`;
const words = (text: string): string[] => text.split(/\s+/);

const KEPT = 'https://example.com/kept';
/** A user can send ten pages at once; further pages are rejected. */
const FEW = 5;

let app: TestApp;
let api: ReadingListApi;
let keptId: string;
let before: object[];

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  keptId = await api.saved(KEPT, { title: 'Kept', tags: 'kept', time: 1_700_000_000 });
  before = await api.items({ detailType: 'complete' });
});
afterAll(() => app.close());

/** Sends the credentials followed by the raw members. */
function sent(path: string, members: string, client = api): Promise<RawResponse> {
  const body = `${JSON.stringify(client.credentials).slice(0, -1)},${members}}`;
  return sendRaw(app, { path, body, headers: { 'content-type': 'application/json' } });
}

/** Returns a description of any answer that is neither 200 nor a normal rejection. */
function faultOf({ status, headers, text }: RawResponse): string | undefined {
  const { code, error } = JSON.parse(text);
  const isRefusal = status === 400 && code === 130 && headers['x-error'] === error;
  const leaks = /node_modules|SELECT|invalid input syntax|out of range for type/.test(text);
  return (status === 200 || isRefusal) && !leaks ? undefined : `${status}: ${text.slice(0, 200)}`;
}

async function faults(
  path: string,
  bodies: readonly string[],
  client = api,
): Promise<(string | undefined)[]> {
  const found = await Promise.all(
    bodies.map(async (members) => {
      const fault = faultOf(await sent(path, members, client));
      return fault && `${members.slice(0, 100)} -> ${fault}`;
    }),
  );
  return found.filter((fault) => fault !== undefined);
}

describe('a /v3/get parameter with a value of an unexpected type', () => {
  it.each(words(`${OF_GET} ${NAMES}`))('returns 200 or 400, never 500: %s', async (name) => {
    expect(
      await faults(
        '/v3/get',
        ODD.map((json) => `"${name}":${json}`),
      ),
    ).toEqual([]);
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });
});

describe('a /v3/add parameter with a value of an unexpected type', () => {
  it.each(words(`${OF_ADD} ${NAMES}`).filter((name) => name !== 'url'))(
    'returns 200 or 400, never 500: %s',
    async (name) => {
      const other = await ReadingListApi.of(app);
      const bodies = ODD.map((json) => `"url":"${KEPT}","${name}":${json}`);

      for (let at = 0; at < bodies.length; at += FEW) {
        expect(await faults('/v3/add', bodies.slice(at, at + FEW), other)).toEqual([]);
        await until(async () => (await app.database.query('SELECT FROM sent_pages')).length === 0);
      }
      expect(await other.names()).toEqual(['kept']);
      expect(await api.items({ detailType: 'complete' })).toEqual(before);
    },
  );

  it('returns 400 if it is url', async () => {
    const refused = ODD.filter((json) => !json.startsWith('"'));
    const answers = await Promise.all(refused.map((json) => sent('/v3/add', `"url":${json}`)));

    expect(answers.map(({ status }) => status)).toEqual(refused.map(() => 400));
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });
});

describe('a /v3/send parameter with a value of an unexpected type', () => {
  it.each(words(NAMES))('returns 200 or 400, never 500: %s', async (name) => {
    expect(
      await faults(
        '/v3/send',
        ODD.map((json) => `"${name}":${json}`),
      ),
    ).toEqual([]);
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });
});

describe('the parameters of actions in /v3/send', () => {
  /** All other members refer to nothing that exists. */
  const action = (name: string, member: string, json: string): string => {
    const members = new Map([
      ['action', JSON.stringify(name)],
      ['item_id', '"1"'],
      ['tags', '"x"'],
      ['old_tag', '"nothing"'],
      ['new_tag', '"x"'],
      ['tag', '"nothing"'],
      [member, json],
    ]);
    return `{${Array.from(members, ([key, value]) => `"${key}":${value}`).join()}}`;
  };

  it.each(words(ACTIONS))('cause no internal error with unexpected types: %s', async (name) => {
    const members = words(`${OF_ACTION} __proto__ constructor then`);
    const actions = members
      .filter((member) => member !== 'url')
      .flatMap((member) => ODD.map((json) => action(name, member, json)));

    const { status, text } = await sent('/v3/send', `"actions":[${actions.join()}]`);

    const { action_results: results, action_errors: errors }: SendResponse = JSON.parse(text);
    expect([status, results.length, errors.length]).toEqual([200, actions.length, actions.length]);
    const codes = new Set(errors.map((error) => error?.code));
    expect([130, 198, undefined]).toEqual(expect.arrayContaining([...codes]));
    expect(text).not.toMatch(/node_modules|SELECT|invalid input syntax/);
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });

  it('are ignored if they belong to another action', async () => {
    const other = await ReadingListApi.of(app);
    const itemId = await other.saved(KEPT, { tags: 'kept' });
    const foreign = { status: 2, user_id: '1', tags: 'x', title: 'x', new_tag: 'x', favorite: 0 };

    expect(await other.results({ action: 'favorite', item_id: itemId, ...foreign })).toEqual([
      true,
    ]);

    const item = await other.item(itemId);
    expect(item).toMatchObject({ favorite: '1', status: '0', given_title: '' });
    expect(Object.keys(item!.tags!)).toEqual(['kept']);
  });
});

describe('duplicate and nested members of a JSON body', () => {
  const unknown = '"consumer_key":"1-0123456789abcdef01234567"';
  const key = (): string => `"consumer_key":"${api.consumerKey}"`;

  it('are read with their last value: credentials', async () => {
    const codes = await Promise.all(
      [unknown, `${unknown},${key()}`, '"access_token":"x"', '"access_token":null'].map(
        async (members) => (await sent('/v3/get', members)).status,
      ),
    );

    expect(codes).toEqual([401, 200, 401, 401]);
  });

  it('are read with their last value: an action', async () => {
    const twice = `{"action":"delete","action":"favorite","item_id":"${keptId}","item_id":"1"}`;

    const { text } = await sent('/v3/send', `"actions":[],"actions":[${twice}]`);

    expect(JSON.parse(text)).toMatchObject({ status: 0, action_results: [false] });
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });

  it.each(['__proto__', 'constructor'])('are not read inside %s', async (name) => {
    const hidden = JSON.stringify({ ...api.credentials, url: 'https://example.com/hidden' });
    const body = `{"${name}":${hidden}}`;

    const { status } = await sendRaw(app, { path: '/v3/add', body });
    const { text } = await sent(
      '/v3/send',
      `"actions":[{"${name}":{"action":"delete","item_id":"${keptId}"}}]`,
    );

    expect(status).toBe(400);
    expect(JSON.parse(text).action_results).toEqual([false]);
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });
});

describe('more actions than /v3/send allows', () => {
  it.each([5001, 100_000])('are rejected: %d', async (count) => {
    const { status, text } = await sent('/v3/send', `"actions":[${'{},'.repeat(count - 1)}{}]`);

    expect([status, JSON.parse(text).code]).toEqual([413, 130]);
  });
});

describe('the service after all hostile requests', () => {
  it('has no polluted prototype, no logged error and unchanged items', async () => {
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(app.log()).not.toContain('"level":50');
    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });
});
