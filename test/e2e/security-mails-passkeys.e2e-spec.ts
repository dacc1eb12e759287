import { addPasskey, aLoginPage } from '../support/passkey-visitor.js';
import {
  SecurityMailWorld,
  subjectOf,
  textOf,
  type Visitor,
} from '../support/security-mail-world.js';
import { SoftPasskey } from '../support/soft-passkey.js';

let world: SecurityMailWorld;
let resume: () => void;
let ada: Visitor;
let passkey: SoftPasskey;

beforeAll(async () => {
  world = await SecurityMailWorld.begin();
  // Browsers use no passkeys at the IP address of the service.
  const publicUrl = new URL(world.app.url.replace('127.0.0.1', 'localhost'));
  Object.assign(world.app.config, { publicUrl });
});
afterAll(() => world.close());

beforeEach(async () => {
  resume = SecurityMailWorld.pause();
  ada = await world.user();
  passkey = new SoftPasskey(world.app.config.publicUrl?.origin ?? '');
  await addPasskey(ada, passkey);
});
afterEach(() => {
  resume();
});

async function logIn(counter: number): Promise<number> {
  const page = await aLoginPage(world.app);
  return (await page.send(passkey.used(await page.request(), { counter }))).status;
}

/** Returns the kinds of the mails to Ada in the outbox. */
async function kindsToAda(): Promise<string[]> {
  const rows = await world.app.database.query<{ kind: string }>(
    'SELECT kind FROM security_mails WHERE user_id = $1 ORDER BY kind',
    [ada.user.id],
  );
  return rows.map(({ kind }) => kind);
}

it('sends a mail about an added and a removed passkey, with its name', async () => {
  expect(await logIn(1)).toBe(303);
  await world.press(ada, '/account/passkeys', '/account/passkeys/remove');

  resume();
  await world.server.mailTo(ada.user.email, 2);

  const mails = world.server.sentTo(ada.user.email);
  expect(mails.map(subjectOf).sort()).toEqual([
    'Satchel: Passkey added',
    'Satchel: Passkey removed',
  ]);
  expect(mails.map(textOf).filter((text) => text.includes('Name: Laptop'))).toHaveLength(2);
});

it('sends at most ten mails in an hour about a passkey that may have been copied', async () => {
  expect(await logIn(5)).toBe(303);
  for (let count = 0; count < 11; count += 1) {
    expect(await logIn(5)).toBe(403);
  }

  expect(await kindsToAda()).toEqual([
    'passkey_added',
    ...Array<string>(10).fill('passkey_refused'),
  ]);
});

it('sends no mail about a passkey that is refused for another reason', async () => {
  const page = await aLoginPage(world.app);
  const answer = await page.send(
    passkey.used(await page.request(), { origin: 'http://a.example' }),
  );
  expect(answer.status).toBe(403);

  expect(await kindsToAda()).toEqual(['passkey_added']);
});
