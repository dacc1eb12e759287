import { AccountApi, aPerson, PASSWORD, setCookieOf } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

describe('POST /register', () => {
  let app: TestApp;
  let api: AccountApi;

  const countOf = async (email: string): Promise<number> => {
    const sql = 'SELECT count(*)::int AS n FROM users WHERE email = $1';
    const [row] = await app.database.query<{ n: number }>(sql, [email]);
    return row!.n;
  };

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  it('returns 201 with the user, and stores only a bcrypt hash of the password', async () => {
    const person = aPerson();

    const response = await api.post('/register', person).expect(201);

    expect(response.body).toEqual({
      user_id: expect.stringMatching(/^\d+$/),
      name: person.name,
      email: person.email,
    });
    const [row] = await app.database.query('SELECT * FROM users WHERE email = $1', [person.email]);
    expect(row!['password_hash']).toMatch(/^\$2b\$04\$.{53}$/);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });

  it('does not log the user in', async () => {
    const response = await api.post('/register', aPerson()).expect(201);

    expect(setCookieOf(response)).toBe('');
    const sql = 'SELECT user_id FROM refresh_tokens WHERE user_id = $1';
    expect(await app.database.query(sql, [response.body.user_id])).toEqual([]);
  });

  describe('for an address that has an account', () => {
    it('returns 409 and inserts no record', async () => {
      const { email } = await api.registered();

      const response = await api.post('/register', aPerson({ email })).expect(409);

      expect(response.body).toEqual({
        statusCode: 409,
        error: 'Conflict',
        message: 'There is an account with this email address already.',
        code: 'email_taken',
      });
      expect(await countOf(email)).toBe(1);
    });

    it('does not change the name or the password of the account', async () => {
      const owner = await api.registered({ name: 'Owner' });

      await api.post('/register', { ...owner, name: 'Thief', password: 'another pass phrase' });

      const [row] = await app.database.query('SELECT name FROM users WHERE id = $1', [owner.id]);
      expect(row).toEqual({ name: 'Owner' });
      await api.login({ ...owner, password: 'another pass phrase' }).expect(401);
      await api.login(owner).expect(200);
    });

    it.each([
      ['in upper case', 'spelling@example.com', 'SPELLING@EXAMPLE.COM'],
      ['with white space around it', 'space@example.com', ' \t space@example.com\n'],
      ['in full-width letters', 'wide@example.com', 'ｗｉｄｅ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
      ['with a Kelvin sign for K', 'kelvin@example.com', '\u212Aelvin@example.com'],
      ['with a domain in Punycode', 'idn@münchen.example', 'idn@xn--mnchen-3ya.example'],
      ['with a domain in Unicode', 'idn2@xn--mnchen-3ya.example', 'idn2@MÜNCHEN.example'],
      ['with a decomposed domain', 'nfd@münchen.example', 'nfd@mu\u0308nchen.example'],
    ])('returns 409 for the address %s', async (_, email, spelling) => {
      const { body } = await api.post('/register', aPerson({ email })).expect(201);

      await api.post('/register', aPerson({ email: spelling })).expect(409);

      expect(await countOf(String(body.email))).toBe(1);
    });

    it('creates exactly one account for twenty concurrent calls', async () => {
      const email = 'rush@example.com';

      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          api.post('/register', aPerson({ email, name: `${n}` })),
        ),
      );

      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
      expect(await countOf(email)).toBe(1);
    });
  });

  it.each([
    ['a dot more', 'first.last@example.com', 'firstlast@example.com'],
    ['a tag', 'tag@example.com', 'tag+news@example.com'],
  ])('treats an address with %s as a different address', async (_, email, other) => {
    await api.registered({ email });

    await api.post('/register', aPerson({ email: other })).expect(201);
  });

  it('stores an address in its canonical form and returns this form', async () => {
    const person = aPerson({ email: ' Ada.L@MÜNCHEN.example ' });

    const { body } = await api.post('/register', person).expect(201);

    expect(body.email).toBe('ada.l@xn--mnchen-3ya.example');
  });

  it('ignores parameters that the server sets itself', async () => {
    const person = aPerson();
    const foreign = {
      id: 4711,
      user_id: 4711,
      password_hash: 'x',
      passwordHash: 'x',
      admin: true,
      tokenVersion: 9,
      session_epoch: 9,
      disabledAt: '2020-01-01',
      created_at: '2001-01-01',
    };

    const { body } = await api.post('/register', { ...person, ...foreign }).expect(201);

    const [row] = await app.database.query('SELECT * FROM users WHERE email = $1', [person.email]);
    expect(row).toMatchObject({ id: body.user_id, session_epoch: 0, disabled_at: null });
    expect(row!['id']).not.toBe('4711');
    expect(row!['created_at']).not.toEqual(new Date('2001-01-01'));
    await api.login(person).expect(200);
  });

  it.each([
    ['8 bytes', 'k8#xQz!p'],
    ['72 bytes', 'four ferns and forty kinds of tomato grow on the roof of a bus station !'],
    ['72 bytes of 36 letters', 'абвгдежзийклмнопрстуфхцчшщъыьэюяабвг'],
    ['white space around it', '  pass phrase  '],
    ['emoji', '🦊🦉🐢🌵'],
  ])('accepts a password with %s, and the user can log in with it', async (_, password) => {
    const person = aPerson({ password });

    await api.post('/register', person).expect(201);

    await api.login(person).expect(200);
  });

  it.each([
    ['without the white space around it', ' pass phrase ', 'pass phrase'],
    ['in another case', 'Pass Phrase', 'pass phrase'],
    ['in another Unicode form', 'caf\u00e9 au lait', 'cafe\u0301 au lait'],
  ])('stores the exact password: the login fails %s', async (_, password, variant) => {
    const person = await api.registered({ password });

    await api.login({ ...person, password: variant }).expect(401);
  });

  it.each([
    ['of 200 characters', 'n'.repeat(200)],
    ['with markup and quotes', `<b>O'Reilly</b> "; DROP TABLE users; --`],
    ['in Arabic with emoji', 'عائشة 👩‍👩‍👧'],
  ])('stores a name %s unchanged', async (_, name) => {
    const { body } = await api.post('/register', aPerson({ name })).expect(201);

    const [row] = await app.database.query('SELECT name FROM users WHERE id = $1', [body.user_id]);
    expect([body.name, row!['name']]).toEqual([name, name]);
  });
});
