/** Opens the page that was asked for as soon as the server has it. */
const WAIT_MILLISECONDS = 1500;

async function ask() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (answer === undefined || answer.status === 503) setTimeout(ask, WAIT_MILLISECONDS);
  else location.reload();
}

setTimeout(ask, WAIT_MILLISECONDS);
