import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MOST_COUNTED, NotImportedFields, type NotImportedReport } from './not-imported.js';
import { readFile } from './read-file.js';

describe('readFile', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'read-file-'));
  });

  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  const fileOf = async (content: string): Promise<string> => {
    const path = join(directory, 'file');
    await writeFile(path, content);
    return path;
  };

  const notImportedOf = async (content: string): Promise<NotImportedReport> => {
    const notImported = new NotImportedFields();
    for await (const row of (await readFile(await fileOf(content))).rows(notImported)) {
      expect(row).toHaveProperty('item');
    }
    return notImported.report();
  };

  describe('recognition', () => {
    it('names the signs by which the format was recognised', async () => {
      const { format, reason } = await readFile(await fileOf('title,url,time_added,tags,status\n'));

      expect(format).toBe('pocket-csv');
      expect(reason).toBe('it has the columns `url`, `time_added`, `tags`, `status`');
    });

    it.each([
      ['linkding', '[{"url":"https://a.example/","is_archived":true,"tag_names":[]}]'],
      ['GoodLinks', '[{"url":"https://a.example/","highlights":[{"content":"x"}],"addedAt":1}]'],
    ])('does not take a list of %s for another format', async (_, content) => {
      const path = await fileOf(content);
      const format = await readFile(path).then((file) => file.format, String);

      expect(format).not.toMatch(/^(wallabag|pocket)/);
    });
  });

  describe('passwords', () => {
    it.each([
      ['Chrome', 'name,url,username,password,note'],
      ['Safari', 'Title,URL,Username,Password,Notes,OTPAuth'],
      ['Firefox', '"url","username","password","httpRealm","formActionOrigin","guid"'],
      ['Bitwarden', 'folder,name,login_uri,login_username,login_password,login_totp'],
      ['RoboForm', 'Name,Url,MatchUrl,Login,Pwd,Note'],
      ['a spreadsheet', 'url;Benutzer;Passwort'],
      ['a French browser', 'url,identifiant,mot de passe'],
      ['a Spanish browser', 'url,usuario,Contraseña'],
      ['a Portuguese browser', 'url,nome,Senha'],
      ['a Polish browser', 'url,login,Hasło'],
      ['a Russian browser', 'url,логин,Пароль'],
      ['a Japanese browser', 'url,ユーザー名,パスワード'],
      ['a Chinese browser', 'url,用户名,密码'],
      ['an Italian browser', 'url,utente,Parola'],
    ])('refuses the table of %s', async (_, header) => {
      await expect(readFile(await fileOf(`${header}\na,b,c\n`))).rejects.toThrow('passwords');
    });

    it('refuses the JSON of a password manager', async () => {
      const item = { login: { uris: [{ uri: 'https://a.example/' }], password: 'x' } };
      const content = JSON.stringify({ encrypted: false, items: [item] });

      await expect(readFile(await fileOf(content))).rejects.toThrow('passwords');
    });

    it.each([
      ['one row', 'https://bank.example/,ada,secret\n'],
      ['rows', 'https://a.example/login,ada,secret\nhttps://b.example/?x=1,bob,hunter2\n'],
      ['names first', 'Bank,https://bank.example,ada,secret\nMail,https://b.example,ada,x\n'],
      ['quotes', '"https://bank.example/","ada","se,cret"\n'],
      ['a quote that is not closed', 'https://bank.example/,"ada,secret\n'],
      ['semicolons', 'https://bank.example/;ada;secret\n'],
      ['tabs', 'https://bank.example/in\tada\tsecret\r\nhttps://b.example/\t\tsecret\r\n'],
    ])('refuses a table that does not name its columns: %s', async (_, content) => {
      await expect(readFile(await fileOf(content))).rejects.toThrow('may contain passwords');
    });

    it.each([
      ['numbers of a map', 'https://maps.example/@48.1,11.5,15z\n'],
      [
        'numbers of a page',
        'https://a.example/0,1518,812345,00.html\nhttps://a.example/0,1518,8,00.html\n',
      ],
      ['a title', 'https://a.example/, Ferns, moss, fungi\nhttps://b.example/, Oak, ash, elm\n'],
      ['two addresses', 'https://a.example/,https://b.example/,https://c.example/\n'],
      ['a title behind a tab', 'https://a.example/\tFerns\nhttps://b.example/\tMoss\n'],
    ])('reads commas and tabs in %s', async (_, content) => {
      await expect(readFile(await fileOf(content))).resolves.toHaveProperty('format', 'urls');
    });

    it.each([
      ['a title', 'url,title\nhttps://a.example/,"How to choose a ""password"""\n'],
      ['keywords in Italian', 'url,parole chiave\nhttps://a.example/,x\n'],
      ['a text in JSON', '[{"url":"https://a.example/","is_archived":1,"x":"\\"password\\": 1"}]'],
    ])('reads the word in %s', async (_, content) => {
      await expect(readFile(await fileOf(content))).resolves.toHaveProperty('format');
    });
  });

  describe('fields that are not imported', () => {
    it('are the columns of a table that have text and are not imported', async () => {
      const content = 'url,title,Rating,Empty\nhttps://a.example/,A,5,\nhttps://b.example/,,4,\n';

      expect(await notImportedOf(content)).toEqual({
        fields: [{ path: '', kind: 'column', name: 'Rating', rows: 2 }],
        more: 0,
      });
    });

    it('are a second column for the same part of an item', async () => {
      const { fields } = await notImportedOf('url,link\nhttps://a.example/,https://b.example/\n');

      expect(fields).toEqual([{ path: '', kind: 'column', name: 'link', rows: 1 }]);
    });

    it('are keys of JSON at each level', async () => {
      const row = {
        url: 'https://a.example/',
        is_archived: 0,
        mood: 'calm',
        blank: [null, { text: ' ' }],
        tags: [
          { label: 'a', color: 'red' },
          { label: 'b', color: 'blue' },
        ],
      };
      const content = { _embedded: { items: [row, row] }, motto: 'read', nothing: null };

      expect((await notImportedOf(JSON.stringify(content))).fields).toEqual([
        { path: '', kind: 'key', name: 'motto', rows: 1 },
        { path: '', kind: 'key', name: 'mood', rows: 2 },
        { path: '', kind: 'key', name: 'tags.[].color', rows: 2 },
      ]);
    });

    it('are attributes of links, and descriptions', async () => {
      const content =
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/" MOOD="calm">A</A>' +
        '<DD>what it is<DT><A HREF="https://b.example/">B</A></DL>';

      expect((await notImportedOf(content)).fields).toEqual([
        { path: '', kind: 'attribute', name: 'mood', rows: 1 },
        { path: '', kind: 'element', name: '<dd>', rows: 1 },
      ]);
    });

    it('are counted in bounded memory', async () => {
      const keys = Array.from({ length: 100_000 }, (_, key) => `"key${key}":1`);
      const rows = Array.from(
        { length: 200 },
        (_, row) =>
          `{"url":"https://a.example/${row}","is_archived":1,${keys.slice(row * 500, row * 500 + 500).join()}}`,
      );

      const { fields, more } = await notImportedOf(`[${rows.join()}]`);

      expect(fields).toHaveLength(200);
      expect(more).toBe(MOST_COUNTED);
    });
  });
});
