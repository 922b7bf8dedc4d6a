// Live parts, the mark of a lost connection, times in the viewer's zone, and the keyboard. The pages work without this file.
(() => {
  'use strict';
  const lost = document.getElementById('lost');
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

  const units = [[86400 * 2, 86400, 'd'], [7200, 3600, 'h'], [60, 60, 'min'], [5, 1, 's']];
  function ago(time) {
    const seconds = Math.round((Date.now() - time) / 1000);
    const size = Math.abs(seconds);
    for (const [from, unit, name] of units) {
      if (size >= from) {
        const text = Math.floor(size / unit) + ' ' + name;
        return seconds < 0 ? 'in ' + text : text + ' ago';
      }
    }
    return 'just now';
  }
  function times(root) {
    for (const element of root.querySelectorAll('time[datetime]')) {
      const time = Date.parse(element.dateTime);
      if (!Number.isNaN(time)) {
        element.title = exact.format(time);
        const text = ago(time);
        if (element.textContent !== text) element.textContent = text;
      }
    }
  }
  times(document);
  // On a narrow window the sections scroll: the current one comes into sight.
  const sections = document.querySelector('.top nav');
  const current = sections?.querySelector('[aria-current=page]');
  if (current) sections.scrollLeft = current.offsetLeft - (sections.clientWidth - current.offsetWidth) / 2 - sections.offsetLeft;
  setInterval(() => times(document), 5000);

  // A live part stays as it is while the operator uses it: under the mouse, with the keyboard, or with text selected.
  let pointer = null;
  document.addEventListener('mousemove', event => { pointer = event.target; }, { passive: true });
  document.addEventListener('mouseleave', () => { pointer = null; });
  function inUse(part) {
    const focused = document.activeElement;
    const control = pointer && pointer.closest && pointer.closest('a, button, input, select, textarea, summary, tr');
    const selection = window.getSelection();
    return (focused && focused !== part && part.contains(focused) && focused.matches('input, select, textarea, button, a, summary'))
      || (control && part.contains(control))
      || (selection && !selection.isCollapsed && part.contains(selection.anchorNode));
  }
  function mark(gone, text) {
    lost.hidden = !gone;
    if (gone && text) lost.firstElementChild.textContent = text;
  }
  document.addEventListener('htmx:beforeRequest', event => { if (document.hidden) event.preventDefault(); });
  // With this header, an application's login answers with a status instead of asking for a password in a window of the browser.
  document.addEventListener('htmx:configRequest', event => { event.detail.headers['X-Requested-With'] = 'XMLHttpRequest'; });
  const signedOut = 'You are signed out: the numbers below are not live.';
  document.addEventListener('htmx:sendError', () => mark(true, 'Connection lost: the numbers below are not live.'));
  document.addEventListener('htmx:timeout', () => mark(true, 'Connection lost: the numbers below are not live.'));
  document.addEventListener('htmx:responseError', event =>
    mark(true, event.detail.xhr.status === 401 || event.detail.xhr.status === 403 ? signedOut
      : 'The server answered ' + event.detail.xhr.status + ': the numbers below are not live.'));
  document.addEventListener('htmx:beforeSwap', event => {
    const answer = event.detail.xhr.responseText;
    if (event.detail.target.id !== 'live') {
      return;
    }
    if (event.detail.xhr.status === 200 && !answer.includes('id="live"')) {
      event.detail.shouldSwap = false;
      mark(true, signedOut);
    } else if (event.detail.xhr.status === 200) {
      mark(false);
      if (inUse(event.detail.target)) event.detail.shouldSwap = false;
    }
  });
  document.addEventListener('htmx:afterSwap', () => times(document));
  window.addEventListener('offline', () => mark(true, 'Connection lost: the numbers below are not live.'));

  // The keyboard. Letters typed into a field belong to the field.
  let at = -1;
  function rows() { return [...document.querySelectorAll('table.rows tbody tr')]; }
  function move(by) {
    const all = rows();
    if (!all.length) return;
    at = Math.min(all.length - 1, Math.max(0, at + by));
    all.forEach((row, index) => row.classList.toggle('at', index === at));
    all[at].querySelector('a.row')?.focus({ preventScroll: true });
    all[at].scrollIntoView({ block: 'nearest' });
  }
  const keys = {
    '/': () => document.querySelector('[data-key=slash]')?.focus(),
    'j': () => move(1),
    'k': () => move(-1),
    'x': () => { const box = rows()[at]?.querySelector('input[type=checkbox]'); if (box) box.checked = !box.checked; },
    'e': () => document.querySelector('[data-key=edit]:not(:disabled)')?.click(),
    'r': () => document.querySelector('[data-key=redrive]:not(:disabled)')?.click(),
    '?': () => { const dialog = document.getElementById('keys'); if (!dialog.open) dialog.showModal(); },
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input:not([type=checkbox]), select, textarea')) return;
    const key = keys[event.key];
    if (key) {
      event.preventDefault();
      key();
    }
  });
})();
