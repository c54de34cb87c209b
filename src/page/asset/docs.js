/** Buttons that copy code, and forms that try a request and show its answer in the page. */
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement?.querySelector("code")?.textContent ?? "";
    await navigator.clipboard.writeText(code);
    const [label] = button.childNodes;
    const before = label.textContent;
    label.textContent = button.dataset.copied ?? before;
    setTimeout(() => {
      label.textContent = before;
    }, 2000);
  });
}

/** The address of a form's request: values in braces go into the path, the others into the query. */
function addressOf(form, fields) {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const [name, value] of fields) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.append(name, value);
  }
  return `${path}${query.size === 0 ? "" : `?${query}`}`;
}

/** The most of an answer that is shown. */
const SHOWN_CHARACTERS = 20_000;

/** The body of an answer to read: JSON indented, and not endless. */
function readable(body) {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // not JSON: shown as it came
  }
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}\n…` : text;
}

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const body = fields.get("body");
    const isForm = form.dataset.type === "form";
    const headers =
      typeof body === "string"
        ? {
            "Content-Type": "application/json",
            Accept: "application/json, text/event-stream",
            ...JSON.parse(form.dataset.headers ?? "{}"),
          }
        : {};
    const output = form.querySelector("output");
    output.textContent = "…";
    const address = isForm || typeof body === "string" ? form.dataset.path : addressOf(form, fields);
    try {
      const answer = await fetch(address, {
        method: form.dataset.method,
        headers,
        ...(isForm ? { body: new URLSearchParams(fields) } : typeof body === "string" ? { body } : {}),
      });
      const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
      const text = await answer.text();
      const pre = document.createElement("pre");
      pre.tabIndex = 0;
      pre.setAttribute("role", "region");
      pre.setAttribute("aria-label", form.dataset.answer ?? "");
      pre.textContent = `${form.dataset.method} ${address}\n\n${answer.status} ${answer.statusText}\n${lines.join("\n")}\n\n${readable(text)}`;
      output.replaceChildren(pre);
    } catch (error) {
      output.textContent = String(error);
    }
  });
}
