import { syntaxErrorText } from '../../../selector/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { Role } from '../../../tree/index.js';
import { checkOptions, FLAG, TEXT_OR_PATTERN, type Kinds } from '../check-options.js';
import type { Exact } from '../options.js';
import { labelTerms, quoted, type RoleOptions, roleTerms, SelectorParts, textTerm } from './selector-builder.js';
import type { Locator, Scope } from '../surface.js';

const ROLE: Kinds<RoleOptions> = {
  ...{ name: TEXT_OR_PATTERN, exact: FLAG, checked: FLAG, disabled: FLAG, expanded: FLAG, selected: FLAG },
};

/** The ways to a locator are the same everywhere; what is in a scope is said by `inside`. */
export abstract class Looking implements Scope {
  protected abstract inside(parts: SelectorParts): Locator;

  locator(selector: string): Locator {
    return this.inside(read(selector));
  }

  getByRole(role: Role, options: RoleOptions = {}): Locator {
    checkOptions('getByRole()', options, ROLE);
    return this.locator(roleTerms(role, options));
  }

  getByText(text: string | RegExp, options: Exact = {}): Locator {
    checkOptions('getByText()', options, { exact: FLAG });
    return this.locator(textTerm('text', text, options.exact));
  }

  getByLabel(label: string | RegExp, options: Exact = {}): Locator {
    checkOptions('getByLabel()', options, { exact: FLAG });
    return this.locator(labelTerms(label, options.exact));
  }

  getByPlaceholder(text: string | RegExp): Locator {
    return this.locator(textTerm('description', text));
  }

  getById(automationId: string): Locator {
    return this.locator(`#${quoted(automationId)}`);
  }
}

/** A wrong selector is told here, where it is written, with a pointer to the place. */
function read(selector: string): SelectorParts {
  try {
    return SelectorParts.of(selector);
  } catch (error) {
    if (!(error instanceof DesktopError) || error.code !== 'selector_syntax') throw error;
    throw DesktopError.fromJSON({ ...error.toJSON(), message: syntaxErrorText(error) });
  }
}
