// Live parts, the mark of a lost connection, times in the viewer's zone, and the keyboard. The pages work without this file.
(() => {
  'use strict';
  const lost = document.getElementById('lost');
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

  const units = [[86400 * 2, 86400, 'd'], [7200, 3600, 'h'], [60, 60, 'min'], [5, 1, 's']];
  function ago(time) {
    const seconds = Math.round((Date.now() - time) / 1000);
    const size = Math.abs(seconds);
    // A time to come is rounded: a pause of two hours ends in 2 h also after its first second.
    const toCome = seconds < 0;
    for (const [from, unit, name] of units) {
      if ((toCome && size >= 60 ? size + 30 : size) >= from)
        return toCome ? 'in ' + Math.round(size / unit) + ' ' + name : Math.floor(size / unit) + ' ' + name + ' ago';
    }
    return 'just now';
  }
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const dayAndClock = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const isToday = time => new Date(time).toDateString() === new Date().toDateString();
  function times(root) {
    for (const element of root.querySelectorAll('time[datetime]')) {
      const time = Date.parse(element.dateTime);
      if (!Number.isNaN(time)) {
        element.title = exact.format(time);
        const text = 'clock' in element.dataset ? (isToday(time) ? clock : dayAndClock).format(time) : ago(time);
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

  // The server's stream says when something has changed. A page without a stream, or with a stream that is silent for long, asks
  // every few seconds. A hidden page closes its stream: browsers allow few connections to a server.
  const SILENCE = 25000;
  let stream = null;
  let heard = 0;
  let waiting = false;
  const livePart = () => document.getElementById('live');
  const isStreaming = () => stream !== null && stream.readyState === EventSource.OPEN && Date.now() - heard < SILENCE;
  function refresh() {
    const part = livePart();
    if (!part) return;
    if (inUse(part)) waiting = true;
    else { waiting = false; htmx.trigger(part, 'refresh'); }
  }
  function listen() {
    const address = document.body.dataset.stream;
    if (stream || document.hidden || !address || !livePart() || !window.EventSource) return;
    stream = new EventSource(address);
    stream.addEventListener('open', () => { heard = Date.now(); });
    stream.addEventListener('change', () => { heard = Date.now(); refresh(); });
    // A refused stream is tried again after a minute.
    stream.addEventListener('error', () => { if (stream && stream.readyState === EventSource.CLOSED) setTimeout(close, 60000); });
  }
  function close() {
    if (stream) stream.close();
    stream = null;
    listen();
  }
  document.addEventListener('visibilitychange', () => { close(); if (!document.hidden) refresh(); });
  window.addEventListener('pagehide', () => { if (stream) stream.close(); stream = null; });
  // What was held back under the mouse follows when the mouse has left.
  setInterval(() => { if (waiting) refresh(); }, 1000);
  listen();
  document.addEventListener('htmx:beforeRequest', event => {
    const asked = event.detail.requestConfig.triggeringEvent;
    const poll = event.detail.elt.id === 'live' && !(asked && asked.type === 'refresh');
    if (document.hidden || (poll && isStreaming())) event.preventDefault();
  });
  // With this header, an application's login answers with a status instead of asking for a password in a window of the browser.
  document.addEventListener('htmx:configRequest', event => { event.detail.headers['X-Requested-With'] = 'XMLHttpRequest'; });
  const signedOut = 'You are signed out: the numbers below are not live.';
  document.addEventListener('htmx:sendError', () => mark(true, 'Connection lost: the numbers below are not live.'));
  document.addEventListener('htmx:timeout', () => mark(true, 'Connection lost: the numbers below are not live.'));
  document.addEventListener('htmx:responseError', event => event.detail.target.id === 'live' &&
    mark(true, event.detail.xhr.status === 401 || event.detail.xhr.status === 403 ? signedOut
      : 'The server answered ' + event.detail.xhr.status + ': the numbers below are not live.'));
  document.addEventListener('htmx:beforeSwap', event => {
    const answer = event.detail.xhr.responseText;
    if (event.detail.target.id === 'effect' && event.detail.xhr.status === 422) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
    if (event.detail.target.id !== 'live') {
      return;
    }
    if (event.detail.xhr.status === 200 && !answer.includes('id="live"')) {
      event.detail.shouldSwap = false;
      mark(true, signedOut);
    } else if (event.detail.xhr.status === 200) {
      mark(false);
      if (inUse(event.detail.target)) {
        event.detail.shouldSwap = false;
        waiting = true;
      }
    }
  });
  document.addEventListener('htmx:afterSwap', () => times(document));
  window.addEventListener('offline', () => mark(true, 'Connection lost: the numbers below are not live.'));

  // Finds a text in a payload: opens the branches with the text and marks the values.
  for (const field of document.querySelectorAll('[data-find]')) {
    const tree = document.getElementById(field.dataset.find);
    const told = field.closest('p').querySelector('[aria-live]');
    field.addEventListener('input', () => {
      const wanted = field.value.trim().toLowerCase();
      let hits = 0;
      for (const leaf of tree.querySelectorAll('.json')) {
        const own = [...leaf.children].filter(part => part.tagName !== 'DETAILS' && part.tagName !== 'DIV').map(part => part.textContent).join(' ');
        const hit = wanted !== '' && own.toLowerCase().includes(wanted);
        leaf.classList.toggle('hit', hit);
        if (hit) {
          hits++;
          for (let up = leaf.parentElement; up && up !== tree; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
        }
      }
      told.textContent = wanted === '' ? '' : hits === 0 ? 'not found' : hits + ' found';
      tree.querySelector('.hit')?.scrollIntoView({ block: 'nearest' });
    });
  }

  // The box in the head of a table selects all rows; a click with the shift key selects the rows since the last click.
  let clicked = null;
  document.addEventListener('click', event => {
    if (!event.target.matches('.tick input')) return;
    const boxes = [...event.target.closest('table').querySelectorAll('td.tick input')];
    const to = boxes.indexOf(event.target);
    const from = event.shiftKey && clicked ? boxes.indexOf(clicked) : to;
    const chosen = to < 0 ? boxes : boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
    if (to < 0 || from >= 0) chosen.forEach(box => { box.checked = event.target.checked; });
    clicked = to < 0 ? null : event.target;
  });

  // The second click of a double click sends no second command: the answer to the first is on its way.
  const DOUBLE = 2000;
  const sent = new WeakMap();
  const admitted = new WeakSet();
  document.addEventListener('submit', event => {
    const form = event.target;
    if (form.getAttribute('method') !== 'post' || admitted.delete(form)) return;
    event.preventDefault();
    if (Date.now() - (sent.get(form) || 0) < DOUBLE) return;
    sent.set(form, Date.now());
    admit(form, event.submitter);
  });

  // A login that has ended answers a form with the login page, and what the operator typed is lost. So the page asks first, for a
  // small file, and keeps a form that would be lost.
  const ADMISSION = 3000;
  async function admit(form, submitter) {
    const refused = await fetch(document.querySelector('link[rel=icon]').href,
        { cache: 'no-store', redirect: 'manual', headers: { 'X-Requested-With': 'XMLHttpRequest', 'Accept': 'text/html' }, signal: AbortSignal.timeout(ADMISSION) })
      .then(answer => answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403
        ? 'You are signed out, and nothing was sent. Copy what you typed, then load the page again to sign in.' : '')
      .catch(error => error.name === 'TimeoutError' ? '' : 'Connection lost: nothing was sent. Try again when the server answers.');
    if (refused) {
      sent.delete(form);
      mark(true, refused);
      lost.scrollIntoView({ block: 'nearest' });
      return;
    }
    // A live part may have replaced the form meanwhile.
    if (!form.isConnected) {
      form.hidden = true;
      document.body.append(form);
    }
    admitted.add(form);
    form.requestSubmit(submitter && form.contains(submitter) ? submitter : undefined);
  }
  window.addEventListener('pageshow', event => { if (event.persisted) for (const form of document.forms) sent.delete(form); });

  // The keyboard. Letters typed into a field belong to the field.
  let at = -1;
  function rows() { return [...document.querySelectorAll('table.rows tbody tr')].filter(row => row.querySelector('a.row')); }
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
  document.getElementById('help').addEventListener('click', keys['?']);
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input:not([type=checkbox]), select, textarea')) return;
    const key = keys[event.key];
    if (key) {
      event.preventDefault();
      key();
    }
  });
})();
