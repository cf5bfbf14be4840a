// @module-tag safety

import { describe, expect, test } from 'vitest';
import { factsOf } from '../facts.js';
import { withEffects } from '../../../tests/scenes/calls.js';
import { compilePage, describePage, isBrowser, mayMatchBrowser, pagePatternFault } from './page-address.js';
import { secretRefusal } from './rules.js';

const BANK = 'https://bank.example/*';

describe('compilePage', () => {
  test.each<[pattern: string, address: string | null, fits: boolean]>([
    [BANK, 'https://bank.example/', true],
    [BANK, 'https://bank.example/login?next=/a#top', true],
    [BANK, 'https://BANK.example/login', true],
    [BANK, 'https://bank.example:443/login', true],
    ['https://bank.example:443/*', 'https://bank.example/login', true],
    ['http://127.0.0.1:8080/*', 'http://127.0.0.1:8080/x', true],
    ['https://müller.example/*', 'https://xn--mller-kva.example/', true],
    ['https://bank.example/login', 'https://bank.example/login', true],
    ['https://bank.example', 'https://bank.example/', true],
    ['https://bank.example/a/*/end', 'https://bank.example/a/b/c/end', true],
    [BANK, 'https://bank.example/a%2fb', true],
    // A pattern with a fault.
    ['ftp://bank.example/', 'ftp://bank.example/', false],
    ['https://user@bank.example/', 'https://bank.example/', false],
    ['https://bank.example/a/../b', 'https://bank.example/b', false],
    // Another host that looks like it.
    [BANK, 'https://bank.example@evil.example/', false],
    [BANK, 'https://bank.example:x@evil.example/', false],
    [BANK, 'https://@bank.example/', false],
    [BANK, 'https://user@bank.example/', false],
    [BANK, 'https://:word@bank.example/', false],
    [BANK, 'https:user@bank.example/', false],
    [BANK, 'https://bank.example.evil.example/', false],
    [BANK, 'https://evil.example/https://bank.example/', false],
    [BANK, 'https://evilbank.example/', false],
    [BANK, 'https://www.bank.example/', false],
    [BANK, 'https://bank.example./', false],
    [BANK, 'https://bаnk.example/', false], // Cyrillic а
    [BANK, 'https://xn--bnk-5cd.example/', false],
    [BANK, 'https://bank.example\\@evil.example/', false],
    [BANK, 'https://evil.example\\.bank.example/', false],
    // Another port or scheme.
    [BANK, 'https://bank.example:8443/', false],
    [BANK, 'http://bank.example/', false],
    [BANK, 'http://bank.example:443/', false],
    [BANK, 'ftp://bank.example/', false],
    [BANK, 'data:text/html,https://bank.example/', false],
    [BANK, 'javascript://bank.example/%0aalert(1)', false],
    [BANK, 'blob:https://bank.example/0f3c', false],
    [BANK, 'file://bank.example/', false],
    [BANK, 'about:blank', false],
    [BANK, 'about:srcdoc', false],
    [BANK, 'view-source:https://bank.example/', false],
    [BANK, 'filesystem:https://bank.example/x', false],
    // No address.
    [BANK, null, false],
    [BANK, '', false],
    [BANK, 'bank.example/login', false],
    [BANK, '//bank.example/login', false],
    [BANK, ' https://bank.example/', false],
    [BANK, 'https://bank.exam\tple/', false],
    [BANK, `https://bank.example/${'x'.repeat(5_000)}`, false],
    // Another path.
    ['https://bank.example/login/*', 'https://bank.example/login', false],
    ['https://bank.example/login/*', 'https://bank.example/login/../evil', false],
    ['https://bank.example/login/*', 'https://bank.example/login/%2e%2e/evil', false],
    ['https://bank.example/login/*', 'https://bank.example/login/..%2fevil', false],
    ['https://bank.example/login/*', 'https://bank.example/login/..%5Cevil', false],
    ['https://bank.example/login/*', 'https://bank.example/LOGIN/x', false],
    ['https://bank.example/login', 'https://bank.example/login/', false],
    ['https://bank.example/login', 'https://bank.example/?/login', false],
    ['https://bank.example', 'https://bank.example/login', false],
  ])('%s and %s', (pattern, address, fits) => expect(compilePage(pattern)(address)).toBe(fits));

  test('an address with umlauts matches after many others', () => {
    const fits = compilePage('https://müller.example/*');
    for (let n = 0; n < 20_000; n++) fits(`https://bank.example/${n}`);
    expect(fits('https://müller.example/login')).toBe(true);
  });

  test('for random addresses, what matches has the scheme, the host and the port of the pattern', () => {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
    const schemes = ['http', 'https', 'HTTPS', 'ftp', 'data', 'blob:https', 'javascript', 'file'];
    const parts = [
      'bank',
      'example',
      'evil',
      '.',
      '@',
      ':',
      '443',
      '8443',
      '%2e',
      '\\',
      '/',
      '*',
      '..',
      '?',
      '#',
      'а',
      '\t',
    ];
    const pattern = { scheme: 'https:', host: 'bank.example' };
    const fits = compilePage(BANK);
    let matched = 0;
    for (let n = 0; n < 30_000; n++) {
      const middle = pick([
        'bank.example',
        'bank.example',
        Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () => pick(parts)).join(''),
      ]);
      const tail = Array.from({ length: Math.floor(Math.random() * 4) }, () => pick(parts)).join('');
      const address = `${pick(schemes)}://${middle}${tail}`;
      if (!fits(address)) continue;
      matched += 1;
      const { protocol, host, username, password } = new URL(address);
      expect([protocol, host, username, password], address).toEqual([pattern.scheme, pattern.host, '', '']);
      expect(address.slice(8).split(/[/?#]/, 1)[0], address).not.toMatch(/@|evil|а|\\/);
    }
    expect(matched).toBeGreaterThan(100);
  });
});

describe('pagePatternFault', () => {
  test.each([BANK, 'http://localhost:3000/*', 'https://bank.example', 'https://bank.example:8443/a/*.html'])(
    'accepts %s',
    (pattern) => expect(pagePatternFault(pattern)).toBeUndefined(),
  );
  test.each<[string, RegExp]>([
    ['*', /http or https/],
    ['bank.example/*', /http or https/],
    ['ftp://bank.example/', /http or https/],
    ['file:///home/*', /http or https/],
    ['*://bank.example/*', /http or https/],
    ['https://*.bank.example/*', /only in the path/],
    ['https://bank.example:*/x', /only in the path/],
    ['https://bank.example/?a=*', /without query/],
    ['https://bank.example/#x', /without query/],
    ['https://user@bank.example/', /not an address/],
    ['https://bank.example./', /without a dot/],
    ['https://bank.example/a/../b', /path without dots/],
    ['https://bank.example/%2e%2e/b', /path without dots/],
    ['https://bank.example/a%2fb', /path without dots/],
    ['https://bank example/', /not an address/],
  ])('refuses %s', (pattern, fault) => expect(pagePatternFault(pattern)).toMatch(fault));
});

describe('where a secret for a page may be typed', () => {
  const facts = (app: string) =>
    factsOf(withEffects({ tool: 'ui_type', class: 'act', caller: 'mcp', desktop: 'seat', args: {}, target: { app } }));
  const chromium = facts('/usr/lib/chromium/chromium');
  const inner = 'https://bank.example/login';
  const evil = 'https://evil.example/';
  const why = (url: string | string[] | undefined, pages: (string | null)[], at = chromium): unknown =>
    secretRefusal({ env: 'X', into: { app: '*', ...(url !== undefined && { url }) } }, at, pages);
  test.each<[string, unknown, unknown]>([
    ['its page', why(BANK, [inner]), undefined],
    ['its page in its page', why(BANK, [inner, 'https://bank.example/']), undefined],
    ['one of several', why([evil, BANK], [inner]), undefined],
    ['another page', why(BANK, [evil]), { why: 'another page', page: evil }],
    ['a frame of another page in its page', why(BANK, [evil, inner]), { why: 'another page', page: evil }],
    ['its page in a frame of another', why(BANK, [inner, evil]), { why: 'another page', page: evil }],
    ['its page between two others', why(BANK, [inner, evil, inner]), { why: 'another page', page: evil }],
    ['data: in its page', why(BANK, ['data:text/html,x', inner]), { why: 'another page', page: 'data:text/html,x' }],
    ['a page without a known address', why(BANK, [inner, null]), { why: 'another page', page: null }],
    ['outside of any page', why(BANK, []), { why: 'no page' }],
    ['a browser, without url', why(undefined, []), { why: 'no url' }],
    [
      'a page of an app that is no known browser, without url',
      why(undefined, [inner], facts('/opt/x')),
      { why: 'no url' },
    ],
    ['a page without an address in such an app', why(undefined, [null], facts('/opt/x')), { why: 'no url' }],
    ['an app without pages, without url', why(undefined, [], facts('/opt/x')), undefined],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected));
});

test.each<[string | null, string]>([
  [null, 'a page without a known address'],
  ['chrome-extension://bank/secret', 'chrome-extension: address'],
  ['bank.example/secret', 'an unusual address'],
  ['https://bank.example/login?token=abc#x', 'https://bank.example/login'],
  ['data:text/html,secret', 'data: address'],
  ['about:blank', 'about: address'],
  ['https://bank.example@evil/', 'an unusual address'],
])('describePage shows %s without what may be secret', (address, shown) => expect(describePage(address)).toBe(shown));

test.each([
  ['/usr/lib/chromium/chromium', true],
  ['/usr/lib/firefox-esr/firefox-esr', true],
  ['/opt/google/chrome/chrome', true],
  ['/usr/bin/gedit', false],
  ['/usr/bin/python3.11', false],
])('isBrowser %s', (path, is) => expect(isBrowser({ path })).toBe(is));

test.each([
  ['*/firefox', true],
  ['*chrom*', true],
  ['*', true],
  ['/usr/bin/*', true],
  ['/usr/lib/firefox-esr/firefox-esr', true],
  ['/home/me/apps/librewolf', true],
  ['/usr/bin/vpn-gui', false],
  ['*/gnucash', false],
  ['/usr/bin/python3*', false],
])('mayMatchBrowser %s', (pattern, may) => expect(mayMatchBrowser(pattern)).toBe(may));
