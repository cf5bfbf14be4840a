import { describe, expect, test } from 'vitest';
import { bridgeVariables } from './toolkit-bridges.js';

const all = (): boolean => true;
const without =
  (part: string) =>
  (file: string): boolean =>
    !file.includes(part);

describe('bridgeVariables', () => {
  test('names the installed bridges, with the class and its library for every Java', () => {
    const variables = bridgeVariables({}, all);
    expect(variables.GTK_MODULES).toBe('gail:atk-bridge');
    expect(variables.JAVA_TOOL_OPTIONS?.split(' ')).toEqual([
      '-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper',
      '-Xbootclasspath/a:/usr/share/java/java-atk-wrapper.jar',
      expect.stringMatching(/^-Dsun\.boot\.library\.path=\/usr\/lib\/.*\/jni$/),
    ]);
  });

  test.each(['java-atk-wrapper.jar', 'libatk-wrapper.so', 'xprop'])('leaves Java alone without %s', (file) => {
    expect(bridgeVariables({}, without(file))).toEqual({ GTK_MODULES: 'gail:atk-bridge' });
  });

  test.each(['libgail.so', 'libatk-bridge.so'])('names no GTK modules without %s', (file) => {
    expect(bridgeVariables({}, without(file))).not.toHaveProperty('GTK_MODULES');
  });

  test("keeps the user's own values, and repeats nothing", () => {
    const own = { GTK_MODULES: 'canberra', JAVA_TOOL_OPTIONS: '-Xmx1g' };
    const first = bridgeVariables(own, all);
    expect(first.GTK_MODULES).toBe('canberra:gail:atk-bridge');
    expect(first.JAVA_TOOL_OPTIONS).toMatch(/^-Xmx1g -Djavax/);
    expect(bridgeVariables(first, all)).toEqual(first);
  });
});
