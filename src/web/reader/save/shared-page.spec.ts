import { sharedPage } from './shared-page.js';

describe('a shared page', () => {
  it.each([
    [{ url: ' https://a.example/ ', text: 'https://b.example/' }, 'https://a.example/'],
    [{ text: 'Look: https://a.example/x?y=1#z. It is good' }, 'https://a.example/x?y=1#z'],
    [{ text: '(see https://a.example/x)' }, 'https://a.example/x'],
    [{ text: 'https://a.example/x_(y)' }, 'https://a.example/x_(y)'],
    [{ text: 'HTTP://A.example' }, 'HTTP://A.example'],
    [{ title: 'https://a.example/', text: 'no address' }, 'https://a.example/'],
    [{ text: '<https://a.example/>' }, 'https://a.example/'],
    [{ url: 'a.example' }, 'a.example'],
    [{ text: 'javascript:alert(1)' }, ''],
    [{}, ''],
  ])('in %j is %s', (fields, url) => {
    expect(sharedPage(fields).url).toBe(url);
  });

  it('has no title where that is the address', () => {
    expect(sharedPage({ title: 'https://a.example/' }).title).toBe('');
    expect(sharedPage({ title: 'A page', text: 'https://a.example/' }).title).toBe('A page');
  });
});
