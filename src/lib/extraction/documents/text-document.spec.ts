import { describeTextDocument } from './text-document.js';

const ADDRESS = 'https://courier.example/texts/bell';

describe('a plain text', () => {
  it.each([
    ['The bell\n========\n\nIt is late.\n', '<p>It is late.</p>'],
    [
      'The bell\n\n  * salt\n  * rope\n    and tar\n',
      '<ul><li>salt</li><li>rope and tar</li></ul>',
    ],
    ['The bell\n\n1. salt\n2. rope\n', '<ol><li>salt</li><li>rope</li></ol>'],
    ['The bell\n\n    ring()\n      stop()\n', '<pre>ring()\n  stop()</pre>'],
    ['The bell\n\n> So it\n> rings.\n', '<blockquote><p>So it<br>rings.</p></blockquote>'],
    [
      `The bell\n\n${'The bell of the north pier is late by eleven seconds.\n'.repeat(2)}`,
      '<p>The bell of the north pier is late by eleven seconds. The bell of the north pier is late by eleven seconds.</p>',
    ],
    ['The bell\n\nPart two\n--------\n\nTar.', '<h2>Part two</h2><p>Tar.</p>'],
    ['The bell\n\n<b>Tar & salt</b>', '<p>&lt;b&gt;Tar &amp; salt&lt;/b&gt;</p>'],
  ])('%j is shown as %j', async (text, article) => {
    expect(await describeTextDocument(text, 'text/plain; charset=utf-8', ADDRESS)).toMatchObject({
      facts: { title: 'The bell', isArticle: true },
      article,
    });
  });

  it('that is data is shown as code, and is no article', async () => {
    const { facts, article } = await describeTextDocument('{"a": 1}', 'application/json', ADDRESS);

    expect(facts.isArticle).toBeUndefined();
    expect(article).toBe('<pre>{&quot;a&quot;: 1}</pre>');
  });
});

describe('a Markdown document', () => {
  it.each([
    ['text/markdown', ADDRESS],
    ['text/plain', `${ADDRESS}.md`],
  ])('of type %s at %s is shown with its marks, links and code', async (type, url) => {
    const text =
      '# The bell\n\nIt *is* [late](tide.html).\n\n```js\nring();\n```\n<script>x()</script>';

    const { facts, article } = await describeTextDocument(text, type, url);

    expect(facts).toMatchObject({ title: 'The bell', excerpt: 'It is late . ring();' });
    expect(article).toContain('<em>is</em>');
    expect(article).toContain('href="https://courier.example/texts/tide.html"');
    expect(article).toContain('ring();\n</code></pre>');
    expect(article).not.toMatch(/script|<h1/u);
  });

  it.each([
    ['author: Ada Nordin', ['Ada Nordin']],
    ['authors: [Ada Nordin, "Jon Vesterby"]', ['Ada Nordin', 'Jon Vesterby']],
    ['authors:\n  - name: Ada Nordin\n  - Jon Vesterby', ['Ada Nordin', 'Jon Vesterby']],
  ])('names the authors of the front matter %j', async (line, authors) => {
    const text = `---\ntitle: "The late bell"\n${line}\ndate: 2025-03-04\n---\n\nIt is late.\n`;

    const { facts, article } = await describeTextDocument(text, 'text/markdown', ADDRESS);

    expect(facts).toMatchObject({ title: 'The late bell', authors, published: '2025-03-04' });
    expect(article).toBe('<p>It is late.</p>');
  });
});
