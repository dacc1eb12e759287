import iconv from 'iconv-lite';

import { aZip } from '../../../test/support/a-zip.js';
import { readContent, readZip } from '../../../test/support/read-export.js';

const refusal = (content: string | Uint8Array): Promise<string> =>
  readContent(content).then(
    ({ format, rows }) => `imported as ${format}: ${JSON.stringify(rows)}`,
    String,
  );

const ROW = 'Bank,https://bank.example/login,reader,hunter2secret,PIN 1234';

describe('a file with passwords', () => {
  it.each([
    ...['Login: reader\nPassword: hunter2secret', 'Benutzer: reader\nKennwort: hunter2secret'],
    ...[
      '- **Password:** hunter2secret',
      'Password:\nhunter2secret',
      'Mot de passe = hunter2secret',
    ],
    ...['用户名：reader\n密码：hunter2secret', 'PW: hunter2secret', 'Pass: hunter2secret'],
  ])('is refused if a text has the label %j', async (lines) => {
    const text = `URL: https://bank.example/login\n${lines}\n`;

    expect(await refusal(text)).toContain('contains passwords');
    expect(await refusal(text.replaceAll('\n', '\r'))).toContain('contains passwords');
  });

  it.each([
    'https://bank.example/login user: reader pw: hunter2secret',
    'Login: reader, Password: correct-horse, URL: https://bank.example/login',
    'https://bank.example/login Passwort=hunter2secret',
    '<https://bank.example/login>\nPassword: hunter2secret',
    '[Bank](https://bank.example/login)\nPassword: hunter2secret',
  ])('is refused if a label is beside an address: %j', async (text) => {
    expect(await refusal(text)).toContain('contains passwords');
  });

  it.each([
    ['a line above', `My logins\nname,url,username,password,note\n${ROW}\n`],
    ['a line with commas above', `Old, new, all\nname,url,username,password,note\n${ROW}\n`],
    ['blank lines above', `${'\n'.repeat(12)}name,url,username,password,note\n${ROW}\n`],
    ['a table above', `title,url\nFerns,https://ferns.example/\nname,url,user,pass,n\n${ROW}\n`],
    [
      'Markdown',
      '# Logins\n\n| Site | URL | User | Password |\n|---|---|---|---|\n| a | b | c | d |',
    ],
    ['a line break in a name', `name,url,username,"pass\nword",note\n${ROW}\n`],
    [
      'a line that sets the delimiter',
      'sep=;\nurl;kennwort\nhttps://bank.example/;hunter2secret\n',
    ],
    ['only names of its own', 'Notes of mine\nWo;Kennwort\nhttps://bank.example/;hunter2secret\n'],
    ['a note as its first row', `Meine\nA,B,C,Kennwort,E\n,Wifi,,wlansecret,\n${ROW}\n`],
    ['blanks', 'Site Login Password\nhttps://bank.example/login reader hunter2secret\n'],
    ['names in capitals', `NAME,URL,X,PASSWORD,NOTE\n${ROW}\n`],
  ])('is refused if the header has %s', async (_, text) => {
    expect(await refusal(text)).toContain('contains passwords');
  });

  it.each([
    ...['pass', 'PW', 'passcode', 'login_pass', 'Kodeord', 'Clave', 'Zaporka', 'Lykilorð'],
    ...['Tunnussana', 'סיסמא', 'گذرواژه', '암호', '口令', 'Sifre', 'ŞİFRE', 'ﾊﾟｽﾜｰﾄﾞ', 'jelszo'],
    ...['Slaptazodis', 'Slaptažodis', 'Jelszó', 'pwd2', 'Mot de passe', 'MotDePasse', 'HASŁO'],
    ...['Κωδικός', 'ΚΩΔΙΚΟΣ', 'Passwörter', 'パスワード'],
    ...['Lo\u0308senord', 'Mật khẩu', 'kata_sandi', 'login-password', 'Contrasena'],
  ])('is refused if a column is called %s', async (name) => {
    const text = `title,url,x,${name},note\n${ROW}\n`;

    expect(await refusal(text)).toContain('contains passwords');
    expect(await refusal(iconv.encode(text, 'utf-16'))).toContain('contains passwords');
  });

  it.each([
    ...[
      ['windows-1250', 'Hasło'],
      ['iso-8859-2', 'Hasło'],
      ['windows-1250', 'Jelszó'],
      ['ibm852', 'Hasło'],
      ['koi8-r', 'Пароль'],
      ['cp866', 'Пароль'],
      ['windows-1251', 'Пароль'],
      ['gbk', '密码'],
      ['big5', '密碼'],
      ['shift_jis', 'パスワード'],
      ['euc-jp', 'パスワード'],
      ['euc-kr', '비밀번호'],
      ['windows-1254', 'Şifre'],
      ['windows-1253', 'Κωδικός'],
      ['windows-1255', 'סיסמה'],
      ['windows-1256', 'كلمة المرور'],
      ['windows-1252', 'Contraseña'],
      ['macintosh', 'Contraseña'],
    ],
  ])('is refused if %s writes the column %s', async (encoding, name) => {
    const bytes = iconv.encode(`title,url,x,${name},note\n${ROW}\n`, encoding);

    expect(await refusal(bytes)).toContain('contains passwords');
  });

  it.each([
    ...['url,username,X', 'url,login,X', 'link,User,X', 'url,Benutzer,X', 'url,ユーザー名,X'],
    ...['url,Użytkownik,X', "url,Nom d'utilisateur,X", 'Wo,Login,X', 'url,E-Mail,X'],
  ])('may be a table with users beside addresses: %s', async (header) => {
    const text = `${header}\nhttps://bank.example/login,reader,hunter2secret\n`;

    expect(await refusal(text)).toContain('column of user names');
    expect(await refusal(`My list\n${text}`)).toContain('column of user names');
  });

  it('is refused by name in an archive, and the other files are imported', async () => {
    const { items, refusals } = await readZip([
      { name: 'links.txt', content: 'https://ferns.example/ Ferns\nnot a link\n' },
      { name: 'logins.txt', content: 'https://bank.example/login\nPassword: hunter2secret\n' },
    ]);

    expect(items).toEqual([{ url: 'https://ferns.example/', title: 'Ferns' }]);
    expect(refusals).toMatchObject([
      { place: { path: 'links.txt', line: 2 }, text: '' },
      { place: { path: 'logins.txt' }, text: '', reason: expect.stringMatching(/passwords/) },
    ]);
  });

  it('is not quoted if it is not recognised', async () => {
    const { items, refusals } = await readContent(
      'Bank\nhttps://bank.example/login\nhunter2secret',
    );

    expect(items).toEqual([{ url: 'https://bank.example/login' }]);
    expect(refusals.map(({ place, text }) => [place.line, text])).toEqual([
      [1, ''],
      [3, ''],
    ]);
  });

  it('is recognised in reasonable time', async () => {
    const hostile = [
      'password,x\n',
      ',"',
      ',"a',
      'a:b ',
      'pass: ',
      '"",',
      '|-',
      '["',
      'a://',
      'é,',
    ];
    for (const part of hostile) {
      await refusal(part.repeat(66_000 / part.length));
    }
    await refusal(iconv.encode('é,ï\n'.repeat(16_000), 'latin1'));
  }, 10_000);
});

describe('a file that only mentions passwords', () => {
  it.each([
    ['an address', 'https://docs.example/reset-password\nhttps://ferns.example/a\n', 2],
    ['OneTab', 'https://a.example/ | Password\nhttps://b.example/ | Pass: Gotthard\n', 2],
    ['Markdown', '- [The best password managers](https://a.example/)\n', 1],
    ['a Markdown link by itself', '[Password: a history](https://a.example/)\n', 1],
    ['a heading', 'Passwords:\nhttps://a.example/\n', 1],
    ['a heading with a comma', 'The best passwords, explained\nhttps://a.example/\n', 1],
    ['a heading of Markdown', '# Passwords, keys and logins\nhttps://a.example/ A\n', 1],
    ['a Markdown table', '| Titel | Wo |\n|---|---|\n| Passwords | https://a.example/ |\n', 1],
    ['a sentence', 'What is a password: a history https://a.example/\n', 1],
    [
      'a line of a note',
      'url,title,note\nhttps://a.example/,A,"one\npassword, and, x"\nb.example,B,c\n',
      2,
    ],
    ['a label in a note', 'url,title,note\nhttps://a.example/,A,"one\nPassword: see below"\n', 1],
    ['a title of a table', 'url,title\nhttps://a.example/,"Login, password"\n', 1],
    [
      'a title without an address',
      'title,url\n"Password, user",\nPasswords,\nA,https://a.example/\n',
      1,
    ],
    ['a column for keywords', 'url,palabras clave\nhttps://a.example/,x\n', 1],
    ['a column with other words', 'url,compass,passage,user_id\nhttps://a.example/,1,2,3\n', 1],
  ])('is imported: %s', async (_, content, count) => {
    expect((await readContent(content)).items).toHaveLength(count);
    expect((await readContent(aZip([{ name: 'a.txt', content }]))).items).toHaveLength(count);
  });

  it.each(['passwords', 'totp', 'password'])(
    'is imported: a library with the tag %s',
    async (tag) => {
      const item = { item_id: '5', given_url: 'https://a.example/', status: '0' };
      const tags = { [tag]: { item_id: '5', tag } };
      const { items } = await readContent(JSON.stringify({ list: { 5: { ...item, tags } } }));

      expect(items).toMatchObject([{ url: 'https://a.example/', tags: [tag] }]);
    },
  );

  it('is imported: a library with headers and states of pages', async () => {
    const entry = { url: 'https://a.example/', is_archived: 0, is_starred: 1 };
    const facts = { headers: { 'x-password-policy': 'strict' }, is_password_protected: false };

    expect((await readContent(JSON.stringify([{ ...entry, ...facts }]))).items).toHaveLength(1);
  });

  it('is refused if a key of an entry has a password', async () => {
    const entry = { url: 'https://a.example/', is_archived: 0, is_starred: 1 };
    const [escaped, plain] = ['{"pass\\u0077ord":"hunter2secret"}', '{"pw":123456}'];
    for (const login of [escaped, plain]) {
      const content = `[${JSON.stringify(entry).replace('}', `,"login":${login}}`)}]`;
      expect(await refusal(content)).toContain('contains passwords');
    }
  });

  it('is imported: a table of a service with users', async () => {
    const content =
      'id,user_id,url,title,check_disabled,deleted_at,user\n1,1,https://a.example/,A,0,,me\n';

    expect(await readContent(content)).toMatchObject({
      format: 'linkace',
      items: [{ title: 'A' }],
    });
  });
});
