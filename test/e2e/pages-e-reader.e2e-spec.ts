import { E_READER_PATH, EReaderWorld, EVERY_DAY } from '../support/e-reader-world.js';
import { attachmentOf } from '../support/mail-server.js';
import { formIn, PageVisitor, shownText } from '../support/page-visitor.js';

let world: EReaderWorld;
let reader: Awaited<ReturnType<EReaderWorld['reader']>>;

beforeAll(async () => {
  world = await EReaderWorld.begin();
});
afterAll(() => world.close());
beforeEach(async () => {
  reader = await world.reader();
});
afterEach(() => world.idle());

/** Submits the settings form with some changed fields. */
async function save(fields: Record<string, string>) {
  const { visitor, address } = reader;
  const form = await visitor.form(E_READER_PATH, E_READER_PATH);
  return visitor.submit(form, { address, zone: 'UTC', ...EVERY_DAY, ...fields });
}

const stored = () =>
  world.app.database.query<Record<string, unknown>>(
    'SELECT * FROM e_reader_settings WHERE user_id = $1',
    [reader.userId],
  );

describe('the e-reader settings page', () => {
  it('shows which sender to allow, and is linked from the account page', async () => {
    const { visitor } = reader;

    const page = await visitor.open(E_READER_PATH).expect(200);

    expect(shownText(page)).toContain('allow emails from satchel@example.com');
    expect((await visitor.open('/account')).text).toContain(`href="${E_READER_PATH}"`);
    expect(page.text).not.toContain(`${E_READER_PATH}/test`);
    await new PageVisitor(world.app).open(E_READER_PATH).expect(303);
  });

  it('shows the saved settings', async () => {
    const { visitor } = reader;

    await save({
      ...{ address: ' Reader@KINDLE.example ', digest: '1', time: '23:45', articles: '7' },
      ...{ zone: 'Asia/Kathmandu', archives: '1' },
    }).then((answer) => {
      expect(answer.status).toBe(303);
    });

    const page = await visitor.open(E_READER_PATH);
    const { fields } = formIn(page, E_READER_PATH);
    expect(fields).toMatchObject({
      address: 'reader@kindle.example',
      time: '23:45',
      articles: '7',
    });
    expect(page.text).toMatch(/<option selected>Asia\/Kathmandu</);
    expect(page.text.match(/ checked>/g)).toHaveLength(9);
    expect(shownText(page)).toMatch(/Next digest \w+day,? \d+ \w+ at 23:45/);
  });

  it.each([
    ['no address', { address: 'kindle' }, 'address'],
    ['two addresses', { address: 'a@example.com, b@example.com' }, 'address'],
    ['a line break', { address: 'a@example.com\r\nBcc: b@example.com' }, 'address'],
    ['no time', { time: '24:00' }, 'time'],
    ['no time zone', { zone: 'Europe/Atlantis' }, 'zone'],
    ['an offset for a time zone', { zone: '+01:00' }, 'zone'],
    ['no number', { articles: '1e3' }, 'articles'],
    ['too many articles', { articles: '101' }, 'articles'],
    ['no articles', { articles: '0' }, 'articles'],
    [
      'no day',
      { digest: '1', ...Object.fromEntries(Object.keys(EVERY_DAY).map((day) => [day, ''])) },
      'weekdays',
    ],
  ])('rejects %s and shows the input again', async (_, fields, field) => {
    const answer = await save({ time: '06:30', ...fields });

    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`<a href="#${field}">`);
    expect(answer.text).toContain(`id="${field}"`);
    expect(formIn(answer, E_READER_PATH).fields).toMatchObject(
      field === 'address' ? { time: '06:30' } : { address: reader.address },
    );
    expect(await stored()).toEqual([]);
  });

  it('sends a test as a text file', async () => {
    const { visitor, address } = reader;
    await save({});

    await visitor.submit(await visitor.form(E_READER_PATH, `${E_READER_PATH}/test`)).expect(303);

    const { name, type, bytes } = attachmentOf(await world.server.mailTo(address));
    expect([name, type]).toEqual(['Satchel test.txt', 'text/plain']);
    expect(bytes.toString()).toContain('This is a test of Satchel.');
    await world.idle();
    expect(shownText(await visitor.open(E_READER_PATH))).toContain('Last sent a test');
  });

  it('deletes the settings, and then nothing can be sent', async () => {
    const { visitor, api } = reader;
    await save({ digest: '1' });
    const test = await visitor.form(E_READER_PATH, `${E_READER_PATH}/test`);

    const form = await visitor.form(E_READER_PATH, `${E_READER_PATH}/delete`);
    await visitor.submit(form).expect(303);

    expect(await stored()).toEqual([]);
    await visitor.submit(test).expect(404);
    const id = await api.saved('https://example.com/');
    expect((await visitor.open(`/read/${id}`)).text).not.toContain(`/read/${id}/e-reader`);
  });

  it.each(['', '/test', '/delete'])('rejects a missing CSRF token at %j', async (path) => {
    const { visitor } = reader;
    await save({});

    const fields = { address: 'eve@example.com', zone: 'UTC', time: '07:00', articles: '1' };
    await visitor.post(`${E_READER_PATH}${path}`, fields).expect(403);

    expect(await stored()).toEqual([expect.objectContaining({ address: reader.address })]);
    expect(world.server.received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  });
});
