/** The desk's help for those who have scripts: files dropped anywhere, and the progress of what is under way. */
const POLL_MILLISECONDS = 700;

// The parts of the address by which this window came, apart from all others, and at which an answer was kept, count once.
const address = new URL(location.href);
const once = ["apart", "answer"].filter((name) => address.searchParams.has(name));
for (const name of once) address.searchParams.delete(name);
if (once.length > 0) history.replaceState(history.state, "", address);

const workers = navigator.serviceWorker;

/** Puts away service workers, which another program has left that had this port before. Returns how many there were. */
async function putWorkersAway() {
  const found = (await workers?.getRegistrations().catch(() => [])) ?? [];
  await Promise.all(found.map((worker) => worker.unregister()));
  return found.length;
}

const loadAnew = () => location.replace(`${location.pathname}${location.search}`);
if (workers?.controller) void putWorkersAway().then(loadAnew);

/** Sends a form with the token that only a browser without scripts sees in it, when no service worker can read it. */
async function sendAlone(form, hidden, button) {
  if ((await putWorkersAway()) > 0) return loadAnew();
  const [, name, value] = /name="(\w+)" value="([\w-]+)"/.exec(hidden.textContent) ?? [];
  hidden.replaceWith(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  form.requestSubmit(button);
}

/** Shows how far it is, and the page as it is when nothing is under way any more. */
async function poll(address) {
  const answer = await fetch(address, { cache: "no-store" }).catch(() => undefined);
  const { isWaiting = true, text = "" } = answer?.ok ? await answer.json() : {};
  const shown = document.getElementById("progress");
  if (shown !== null && text !== "") shown.textContent = text;
  if (isWaiting) setTimeout(poll, POLL_MILLISECONDS, address);
  else location.reload();
}

const { waiting } = document.body.dataset;
if (waiting !== undefined) setTimeout(poll, POLL_MILLISECONDS, waiting);

const hasFiles = (event) => event.dataTransfer?.types.includes("Files") === true;

addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.documentElement.classList.add("dropping");
});

addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) document.documentElement.classList.remove("dropping");
});

addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.documentElement.classList.remove("dropping");
  const { files } = event.dataTransfer;
  if (files.length === 0) return;
  const shown = document.querySelector('main input[name="files"]');
  const form =
    shown?.form ?? document.body.appendChild(document.getElementById("drop").content.firstElementChild.cloneNode(true));
  const input = form.querySelector('input[type="file"]');
  input.files = files;
  if (shown === null) form.requestSubmit();
  else shown.focus();
});

/** A form is sent once, however often its button is pressed. */
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  const hidden = form.querySelector("noscript");
  if (hidden !== null) {
    event.preventDefault();
    void sendAlone(form, hidden, event.submitter);
    return;
  }
  if (form.dataset.sent !== undefined) event.preventDefault();
  form.dataset.sent = "";
});

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
