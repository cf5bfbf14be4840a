import { z } from 'zod';
import type { PolicyRequest } from '../../src/policy/index.js';
import type { CallRequest } from '../../src/runtime/request/policy-request.js';
import { READ_TRAITS, effectsOf, type ToolTraits } from '../../src/runtime/request/tool-traits.js';
import { TOOLS } from '../../src/tools/index.js';

/** Of names that no tool has: it presses, writes and launches nothing, and its risk is that of an unlisted act. */
const NO_TRAITS: ToolTraits = { ...READ_TRAITS, place: 'any-window' };

export const traitsOf = (tool: string): ToolTraits => TOOLS.find(({ name }) => name === tool)?.traits ?? NO_TRAITS;

/** What a tool for one test declares, beyond what the test is about. */
export const UNLISTED = { cli: 'none', sentence: { verb: () => [] }, output: z.looseObject({}) } as const;

/** The request with the traits of the tool that it names. */
export const withTraits = <Request extends Omit<CallRequest, 'traits'>>(request: Request): Request & CallRequest => ({
  ...request,
  traits: traitsOf(request.tool),
});

/** The request with what the tool that it names declares about a call with these arguments. */
export const withEffects = <Request extends Omit<PolicyRequest, 'does' | 'actions'>>(
  request: Request,
): Request & PolicyRequest => ({ ...request, ...effectsOf(traitsOf(request.tool), request.args) });

/** A policy request as tests write it; `withEffects` adds the rest. */
export type Asked = Omit<PolicyRequest, 'does' | 'actions'>;
