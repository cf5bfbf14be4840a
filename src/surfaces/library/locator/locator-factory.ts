import { syntaxErrorText } from '../../../selector/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { Role } from '../../../tree/index.js';
import { checkOptions, BOOLEAN, STRING_OR_REGEXP, type OptionTypes } from '../check-options.js';
import type { Exact } from '../options.js';
import { labelTerms, quote, type RoleOptions, roleTerms, SelectorBuilder, textTerm } from './selector-builder.js';
import type { Locator, Scope } from '../surface.js';

const ROLE_OPTIONS: OptionTypes<RoleOptions> = {
  ...{
    name: STRING_OR_REGEXP,
    exact: BOOLEAN,
    checked: BOOLEAN,
    disabled: BOOLEAN,
    expanded: BOOLEAN,
    selected: BOOLEAN,
  },
};

/**
 * The locator methods that desktop, window and locator share. Subclasses define how a locator is created in their
 * scope.
 */
export abstract class LocatorFactory implements Scope {
  protected abstract createLocator(selector: SelectorBuilder): Locator;

  locator(selector: string): Locator {
    return this.createLocator(parse(selector));
  }

  getByRole(role: Role, options: RoleOptions = {}): Locator {
    checkOptions('getByRole()', options, ROLE_OPTIONS);
    return this.locator(roleTerms(role, options));
  }

  getByText(text: string | RegExp, options: Exact = {}): Locator {
    checkOptions('getByText()', options, { exact: BOOLEAN });
    return this.locator(textTerm('text', text, options.exact));
  }

  getByLabel(label: string | RegExp, options: Exact = {}): Locator {
    checkOptions('getByLabel()', options, { exact: BOOLEAN });
    return this.locator(labelTerms(label, options.exact));
  }

  getByPlaceholder(text: string | RegExp): Locator {
    return this.locator(textTerm('description', text));
  }

  getById(automationId: string): Locator {
    return this.locator(`#${quote(automationId)}`);
  }
}

/** Reports an invalid selector where it is written, with a pointer to the position. */
function parse(selector: string): SelectorBuilder {
  try {
    return SelectorBuilder.of(selector);
  } catch (error) {
    if (!(error instanceof DesktopError) || error.code !== 'selector_syntax') throw error;
    throw DesktopError.fromJSON({ ...error.toJSON(), message: syntaxErrorText(error) });
  }
}
