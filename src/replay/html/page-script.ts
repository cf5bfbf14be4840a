/** Runs in the page. It only shows and hides: it creates no element, and it reads text only to search it. */
export const PAGE_SCRIPT: string = `'use strict';
(() => {
  const steps = [...document.querySelectorAll('.step')];
  const buttons = [...document.querySelectorAll('[data-filter]')];
  const search = document.querySelector('input[type=search]');
  const none = document.querySelector('.nothing');
  const texts = steps.map((step) => step.textContent.toLowerCase());
  let filter = 'all';
  document.body.classList.add('live');
  const show = () => {
    const asked = search.value.trim().toLowerCase();
    let seen = 0;
    steps.forEach((step, at) => {
      const fits = (filter === 'all' || step.classList.contains(filter)) && (asked === '' || texts[at].includes(asked));
      step.hidden = !fits;
      if (fits) seen++;
    });
    document.querySelectorAll('.tick').forEach((tick) => {
      const step = document.getElementById(tick.hash.slice(1));
      tick.classList.toggle('faint', step === null || step.hidden);
    });
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.filter === filter)));
    none.hidden = seen > 0;
  };
  const choose = (name) => {
    filter = name === filter ? 'all' : name;
    show();
  };
  const go = (by) => {
    const shown = steps.filter((step) => !step.hidden);
    const here = shown.indexOf(document.activeElement.closest('.step'));
    const next = shown[here === -1 ? (by > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(shown.length - 1, here + by))];
    if (next) {
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: 'nearest' });
    }
  };
  const flip = (all) => {
    const here = document.activeElement.closest('.step');
    const list = all ? steps.filter((step) => !step.hidden) : here ? [here] : [];
    const details = list.flatMap((step) => [...step.querySelectorAll('details')]);
    const open = details.some((one) => !one.open);
    details.forEach((one) => (one.open = open));
  };
  buttons.forEach((button) => button.addEventListener('click', () => choose(button.dataset.filter)));
  search.addEventListener('input', show);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search) {
      if (event.key === 'Escape') {
        search.value = '';
        show();
        search.blur();
      }
      return;
    }
    const button = buttons.find((one) => one.dataset.key === event.key && !one.disabled);
    if (button) choose(button.dataset.filter);
    else if (event.key === '/') search.focus();
    else if (event.key === 'j' || event.key === 'ArrowDown') go(1);
    else if (event.key === 'k' || event.key === 'ArrowUp') go(-1);
    else if (event.key === 'o') flip(false);
    else if (event.key === 'a') flip(true);
    else return;
    event.preventDefault();
  });
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('.step:not([hidden]) details:not([open])')];
    closed.forEach((one) => (one.open = true));
  });
  addEventListener('afterprint', () => closed.forEach((one) => (one.open = false)));
})();
`;
