import { readContent } from '../../../test/support/read-export.js';

const refusal = (content: string): Promise<string> =>
  readContent(content).then(({ rows }) => `imported: ${JSON.stringify(rows)}`, String);

const PLAIN = 'https://one.example/\nhttps://two.example/\nhttps://three.example/\n';
const LOGIN = 'https://bank.example/login';

describe('a table without names of its columns', () => {
  it.each([
    ['Keeper', `,Bank,reader,hunter2/secret,${LOGIN},,\n`],
    ['a note among the rows', `,Bank,reader,hunter2/secret,${LOGIN},,\n,Wifi,,wlansecret,,,\n`],
    ['a note of two lines', `Bank,${LOGIN},reader,hunter2secret,"one\ntwo"\n`],
    ['a note of two lines without quotes', `Bank,${LOGIN},reader,hunter2secret,one\ntwo\n`],
    ['the delimiter |', `${LOGIN}|reader|hunter2secret\nhttps://b.example/|reader|x\n`],
    ['the delimiter | with blanks', `Bank | ${LOGIN} | reader | hunter2secret\n`],
    ['one field', 'https://x.example/,hunter2\nhttps://y.example/,secret\n'],
    ['one field in one row', 'https://x.example/,hunter2\n'],
    ['one field after a semicolon', 'https://x.example/;hunter2\n'],
    ['one row with a path', `${LOGIN},reader,hunter2secret\n`],
    ['one row of an app', `android://hash@com.bank/,reader,x\n${LOGIN},reader,hunter2secret\n`],
    ['a leading blank', `${LOGIN},reader, hunter2 secret\n${LOGIN},reader, x y\n`],
    ['slashes', `${LOGIN},reader,hunter/secret\nhttps://b.example/,reader,a/b\n`],
    [
      'an odd row',
      `${LOGIN},ada,secret\nhttps://b.example/x,bob,secret\n[A](https://a.example/)\n`,
    ],
    ['a line above', `My logins\n${LOGIN},ada,secret\n`],
    ['a row among links', `${PLAIN}Bank,${LOGIN},reader,secret\n`],
    ['blanks', `${LOGIN} reader hunter2secret\n`],
    ['blanks and one word', `${LOGIN} hunter2secret\nhttps://b.example/\tSwordfish7x\n`],
    ['words before the address', `reader hunter2secret ${LOGIN}\nreader:hunter2secret ${LOGIN}\n`],
    ['colons', `${LOGIN}:reader:hunter2secret\n`],
    ['colons after a port', 'https://b.example:8443/in:reader:hunter2secret\n'],
    ['a sign of OneTab', `${LOGIN} | hunter2secret\n`],
    ['unknown names', `Wo,Wer,Was\n${LOGIN},reader,secret\n`],
    ['items of a list', `- ${LOGIN},reader,secret\n- https://b.example/,ada,secret\n`],
  ])('is refused: %s', async (_, content) => {
    expect(await refusal(content)).toContain('may contain passwords');
  });
});

describe('a list with commas and other signs', () => {
  it.each([
    ['a number of a page', `https://a.example/0,1518,812345,00.html\n`],
    ['a name of a page', 'https://en.example/wiki/Washington,_D.C.\n'],
    ['a place among links', `${PLAIN}https://en.example/wiki/Paris,Texas\n`],
    ['identifiers among links', `${PLAIN}https://a.example/?ids=a,b,c\n`],
    ['a path', 'https://a.example/a,b/c,d/e\n'],
    ['a parameter', 'https://a.example/x;jsessionid=1a2b3c4d5e\n'],
    ['a place on a map', 'Ferns,https://maps.example/@48.1,11.5,15z\n'],
    ['titles of OneTab', 'https://a.example/ | One | Two, three | Four\n'],
    ['a version in a title', 'https://a.example/ What is new in v1a2b3c4\n'],
    ['colons in an address', 'https://a.example/urn:isbn:0451450523\nhttps://b.example:80/a\n'],
    ['a word among links', `${PLAIN}iPhone15 https://a.example/\n`],
    ['a tag', 'https://a.example/ #plants2023\n'],
    ['titles before addresses', 'Ferns,https://a.example/\nMoss,https://b.example/\n'],
    [
      'a named table of Markdown',
      '| Titel | Wo | Was |\n|---|---|---|\n| A | https://a.example/ | x |\n',
    ],
  ])('is imported: %s', async (_, content) => {
    const { format, items } = await readContent(content);

    expect(format).toBe('urls');
    expect(items).toHaveLength(content.match(/https:/g)?.length ?? 0);
  });

  it.each([
    ['https://ferns.example/a,Ferns in the shade', 'Ferns in the shade'],
    ['https://ferns.example/a;Ferns in the shade', 'Ferns in the shade'],
    ['https://ferns.example/a,TCP/IP explained', 'TCP/IP explained'],
    ['https://ferns.example/a, Ferns', 'Ferns'],
    ['https://ferns.example/a,"Ferns, and moss"', 'Ferns, and moss'],
    ['https://ferns.example/a\tFerns', 'Ferns'],
  ])('divides %j after the address', async (line, title) => {
    expect((await readContent(`${line}\n`)).items).toEqual([
      { url: 'https://ferns.example/a', title },
    ]);
  });

  it('divides each line if most have words after a comma', async () => {
    const { items } = await readContent(
      'https://a.example/,Ferns in the shade\nhttps://b.example/,Moss and more\nhttps://c.example/x,Bark\nhttps://d.example/a,b/c\n',
    );

    expect(items).toEqual([
      { url: 'https://a.example/', title: 'Ferns in the shade' },
      { url: 'https://b.example/', title: 'Moss and more' },
      { url: 'https://c.example/x', title: 'Bark' },
      { url: 'https://d.example/a,b/c' },
    ]);
  });

  it('keeps commas in addresses if few lines have words after one', async () => {
    const { items } = await readContent(`${PLAIN}https://en.example/wiki/Paris,Texas A town\n`);

    expect(items.at(-1)).toEqual({ url: 'https://en.example/wiki/Paris,Texas', title: 'A town' });
  });
});
