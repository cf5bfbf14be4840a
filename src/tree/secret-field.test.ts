import { describe, expect, test } from 'vitest';
import { isSecretField, looksSecret, SECRET_WORDS } from './secret-field.js';

describe('looks like a secret', () => {
  test.each([
    'Password',
    'password:',
    'Enter your password',
    'New Password (again)',
    'Confirm password *',
    'userPassword',
    'user_password',
    'login-passwd',
    'PASSWORD',
    'Ｐａｓｓｗｏｒｄ',
    'Passphrase',
    'PIN',
    'PIN:',
    'PIN code',
    'Enter PIN (4 digits)',
    'SIM PIN 2',
    'PIN for card 1234',
    'Secret',
    'Client secret',
    'Secret key',
    'API token',
    'Access token:',
    'Token for GitHub',
    'API key',
    'apiKey',
    'OPENAI_API_KEY',
    'CVV',
    'CVC/CVV2',
    'Security code',
    'One-time code',
    'OTP',
    'Wi-Fi pre-shared key',
    'Recovery phrase',
    'Passwort',
    'Neues Kennwort wiederholen',
    'Mot de passe',
    'Contraseña',
    'Palavra-passe',
    'Wachtwoord',
    'Пароль',
    '密码',
    '请输入密码',
    'パスワードを入力',
    '비밀번호 확인',
    'كلمة المرور',
    'Mật khẩu',
  ])('%s', (label) => {
    expect(looksSecret(label)).toBe(true);
  });
});

describe('does not', () => {
  test.each([
    '',
    '   ',
    ':',
    'Name',
    'Username',
    'Pin to top',
    'Pin tab',
    'Pinned',
    'Pinterest',
    'Spinning',
    'Shopping',
    'Token count',
    'Max tokens',
    'Tokenizer',
    'Secretary',
    'Secret Santa budget',
    'Passport number',
    'Bypass',
    'Password hint',
    'Password length',
    'Password policy',
    'Keyboard',
    'Key',
    'Product key name',
    'Compass',
    'Passage',
    'Search',
    'Postal code',
    'Country code',
    'Encoding',
    'Tan',
    'Stoppuhr',
  ])('%s', (label) => {
    expect(looksSecret(label)).toBe(false);
  });
});

test('words can be set, and then only they count', () => {
  expect(looksSecret('Losung des Tages', ['losung'])).toBe(true);
  expect(looksSecret('Password', ['losung'])).toBe(false);
  expect(looksSecret('Password', [])).toBe(false);
  expect(looksSecret('anything', ['', ' '])).toBe(false);
  expect(looksSecret('a.c', ['.*'])).toBe(false);
});

test('every default word is found by itself and in capitals', () => {
  for (const word of SECRET_WORDS) {
    expect(looksSecret(word), word).toBe(true);
    expect(looksSecret(`${word.toLocaleUpperCase('en')}:`), word).toBe(true);
  }
});

describe('fields', () => {
  test.each<[string, Parameters<typeof isSecretField>[0], boolean]>([
    ['a password field of any name', { role: 'passwordbox', states: {} }, true],
    ['a field the driver knows to be secret', { role: 'textbox', name: 'X', states: { secret: true } }, true],
    ['a text field by label', { role: 'textbox', name: 'Password:', states: { editable: true } }, true],
    ['a text field by placeholder', { role: 'textbox', description: 'Enter token', states: {} }, true],
    ['by id', { role: 'textbox', states: {}, platformIds: { automationId: 'loginPassword' } }, true],
    ['a combo box one can type into', { role: 'combobox', name: 'Password', states: { editable: true } }, true],
    ['a combo box one can only choose from', { role: 'combobox', name: 'Password', states: {} }, false],
    ['a label', { role: 'label', name: 'Password:', states: {} }, false],
    ['a button', { role: 'button', name: 'Password', states: {} }, false],
    ['a plain field', { role: 'textbox', name: 'E-mail', states: { editable: true } }, false],
  ])('%s', (_what, element, expected) => {
    expect(isSecretField(element)).toBe(expected);
  });
});
