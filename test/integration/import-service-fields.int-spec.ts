import { readContent, readFixture } from '../support/read-export.js';

describe('fields of exports from services', () => {
  it.each([
    'diigo.csv',
    'goodlinks.json',
    'google-saved.csv',
    'instapaper.csv',
    'karakeep.json',
    'linkace.csv',
    'linkding-api.json',
    'linkwarden.json',
    'matter.csv',
    'mymind.csv',
    'omnivore-zip/metadata_0_to_20.json',
    'pinboard.json',
    'pinboard.xml',
    'raindrop.csv',
    'readeck-zip/bookmarks/Bm1/info.json',
    'readwise.csv',
    'wallabag.csv',
    'wallabag.json',
    'wallabag.xml',
  ])('are all imported or ignored on purpose: %s', async (name) => {
    const { notImported } = await readFixture(name);

    expect(notImported.fields).toEqual([]);
  });

  it('are reported as not imported if they are unknown in XML', async () => {
    const { notImported } = await readContent(
      '<posts user="reader"><post href="https://a.example" mood="calm" extended=""/></posts>',
    );

    expect(notImported.fields).toEqual([{ path: '', kind: 'element', name: 'mood', rows: 1 }]);
  });
});
