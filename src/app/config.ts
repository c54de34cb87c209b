/** All settings: read from the environment, validated together, and documented in one table (interface §5). */
import { availableParallelism } from "node:os";
import { z } from "zod";
import { Invalid, type Issue, quote } from "../issue.ts";
import { parseAddressRanges } from "../outbound/address-class.ts";
import { isPostgres, isSqlite } from "../store/engine/store-url.ts";

/** One setting: its meaning, default as text, allowed values, and parser. */
interface Setting<T> {
  readonly meaning: string;
  readonly fallback: string;
  readonly allowed: string;
  /** The part that is never shown: the password in an address, or the whole value. */
  readonly secret?: "password" | "whole" | undefined;
  readonly parse: (text: string) => T | undefined;
}

const seconds = z.coerce.number().positive().max(2_592_000);
const list = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
const port = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined);

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** The settings by name, in the order of `goodword config`. */
export const SETTINGS = {
  PORT: setting("8080", "Port to listen on; 0 takes a free one", "a port, 0 to 65535", port),
  HOST: setting("", "Address to listen on; empty: all, IPv6 and IPv4", "an address or host name", (text) => text),
  BASE_URL: setting(
    "",
    "Public origin, in every link and topic; empty: http://localhost:PORT",
    "an http or https address without a path, such as https://reviews.example.com",
    origin,
  ),
  DATABASE_URL: setting(
    "sqlite:data/goodword.db",
    "The store: sqlite:PATH, or postgres://… for many processes on many machines",
    "sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME, in whose password # is %23 and / is %2F",
    (text) => (isSqlite(text) || isPostgres(text) ? text : undefined),
    "password",
  ),
  SITES: setting(
    "",
    "Folder of a folder for each business; empty: one business",
    "the path of a folder",
    (text) => text,
  ),
  SITES_BASE_URL: setting(
    "",
    "Public origin of each site that sets no BASE_URL, with {site} for its name",
    "an http or https address without a path and with {site} in it, such as https://{site}.reviews.example.com",
    (text) =>
      text === "" || (text.includes("{site}") && origin(text.replaceAll("{site}", "x")) !== undefined)
        ? text
        : undefined,
  ),
  WORKERS: setting(
    "1",
    "Processes on this machine; auto: one per core",
    "auto, or a whole number from 1 to 256",
    workers,
  ),
  MEMORY_MB: setting(
    "1536",
    "Memory that a server may take: an import after which it would need more asks, or is refused",
    "a whole number of megabytes, at least 512",
    (text) => (/^\d{1,7}$/.test(text) && Number(text) >= 512 ? Number(text) : undefined),
  ),
  CACHE_CONTROL: setting(
    "no-cache",
    "Cache-Control of datasets, feeds and pages",
    "a header value in one line, such as public, max-age=60",
    headerValue,
  ),
  HUB_RETRY_SECONDS: setting(
    "60,600",
    "Waits before the second and third attempt of a delivery or a verification",
    "two numbers of seconds, such as 60,600",
    waits,
  ),
  HUB_TIMEOUT_SECONDS: setting(
    "10",
    "Deadline of one delivery or verification, in seconds",
    "a number above 0",
    numberOf,
  ),
  HUB_LEASE_SECONDS: setting(
    "60,864000,2592000",
    "Shortest, default and longest lease, in seconds",
    "three rising whole numbers of seconds, such as 60,864000,2592000",
    leases,
  ),
  HUB_ALLOW_CALLBACKS: setting(
    "",
    "Ranges that callbacks may have although not public",
    "a list of address ranges (CIDR), such as 10.0.0.0/8,fd00::/8",
    ranges,
  ),
  HUB_SECRET_KEY: setting(
    "",
    "Key that encrypts the subscribers' secrets in the store; after a comma, former keys; empty: not encrypted",
    "keys of 64 hexadecimal digits, separated by commas, as openssl rand -hex 32 makes them",
    secretKeys,
    "whole",
  ),
  SOURCES_ALLOW: setting(
    "",
    "Ranges of addresses that followed sources may have although not public",
    "a list of address ranges (CIDR), such as 127.0.0.1/32 for a single address or 10.0.0.0/8,fd00::/8",
    ranges,
  ),
  NOTICES_ALLOW: setting(
    "",
    "Ranges of addresses that messages to the owner may have although not public",
    "a list of address ranges (CIDR), such as 127.0.0.1/32 for a single address or 10.0.0.0/8,fd00::/8",
    ranges,
  ),
  SMTP_URL: setting(
    "",
    "Mail server that takes messages to the owner; empty: no mail",
    "smtp://USER:PASSWORD@HOST:PORT or smtps://…, in whose password # is %23, / is %2F and % is %25",
    smtpAddress,
    "password",
  ),
  MAIL_FROM: setting(
    "",
    "Sender of these mails",
    "an e-mail address such as reviews@example.com, or Northside Cooling <reviews@example.com>",
    sender,
  ),
  SOURCES_PROXY: setting(
    "",
    "HTTP proxy that followed sources are fetched through; empty: that of HUB_PROXY",
    "an http or https address, such as http://proxy.internal:3128",
    proxyAddress,
    "password",
  ),
  HUB_PROXY: setting(
    "",
    "HTTP proxy that every request to a callback, and every message to the owner, goes through; empty: none",
    "an http or https address, such as http://proxy.internal:3128",
    proxyAddress,
    "password",
  ),
  ALLOWED_HOSTS: setting(
    "",
    "Hosts, and Origins of browser clients, accepted on /mcp besides those of BASE_URL and loopback; * for every one",
    "a list of host names such as reviews.example.com and origins such as https://claude.ai, vscode-webview://* or null, or *",
    hostNames,
  ),
  METRICS_PORT: setting("", "Port of its own for /metrics; empty: on PORT", "a port, or empty", (text) =>
    text === "" ? null : port(text),
  ),
  LOG_LEVEL: setting("info", "How much is logged", `one of ${LEVELS.join(", ")}`, (text) =>
    LEVELS.find((level) => level === text),
  ),
  ACCESS_LOG: setting(
    "off",
    "A line in the log for each request: network cuts clients' addresses to their network, full keeps them",
    "one of off, network, full",
    (text) => (["off", "network", "full"] as const).find((detail) => detail === text),
  ),
  TRUST_PROXY: setting(
    "",
    "Proxies whose X-Forwarded-For is believed",
    "a list of address ranges (CIDR), such as 10.0.0.0/8,fd00::/8",
    ranges,
  ),
  ANALYZER_URL: setting(
    "",
    "Base address of an OpenAI-compatible API whose language model reads the reviews on import; empty: none does",
    "an http or https address such as http://localhost:11434/v1, without a user name",
    apiAddress,
    "password",
  ),
  ANALYZER_MODEL: setting(
    "",
    "Name of that model; its analyses are published before the lexicon's",
    "a name of at most 200 characters",
    (text) => (text === "" || text.length <= 200 ? text && headerValue(text) : undefined),
  ),
  ANALYZER_KEY: setting(
    "",
    "Key of that API, where it asks for one",
    "a key without spaces",
    (text) => (/^[\x21-\x7e]*$/.test(text) ? text : undefined),
    "whole",
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type Values = { readonly [Name in keyof typeof SETTINGS]: NonNullableParse<(typeof SETTINGS)[Name]> };
type NonNullableParse<S> = S extends Setting<infer T> ? T : never;

export type Config = Values;

/**
 * Reads the settings from the environment, with defaults for the rest. An empty variable counts as absent.
 * @throws Invalid with all invalid settings.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const issues: Issue[] = [];
  const entries = Object.entries(SETTINGS).map(([name, { allowed, fallback, parse, secret }]) => {
    const text = environment[name]?.trim() || fallback;
    const value = (parse as (text: string) => unknown)(text);
    if (value === undefined) {
      const shown = secret !== undefined ? "set" : quote(text);
      issues.push({ code: "setting", path: [name], message: `${name} is ${shown}, but must be ${allowed}` });
    }
    return [name, value];
  });
  if (environment.ANALYZER_URL?.trim() && !environment.ANALYZER_MODEL?.trim()) {
    const message = "ANALYZER_MODEL is empty, but must name the model to use at ANALYZER_URL";
    issues.push({ code: "setting", path: ["ANALYZER_MODEL"], message });
  }
  if (environment.SMTP_URL?.trim() && !environment.MAIL_FROM?.trim()) {
    const message = "MAIL_FROM is empty, but must name the sender of mails that go through SMTP_URL";
    issues.push({ code: "setting", path: ["MAIL_FROM"], message });
  }
  if (issues.length > 0) throw new Invalid(issues);
  return Object.fromEntries(entries) as Config;
}

/** The public origin: BASE_URL, or loopback with the server's port. */
export function baseUrlOf(config: Config, listeningPort: number): string {
  return config.BASE_URL === "" ? `http://localhost:${listeningPort}` : config.BASE_URL;
}

function setting<T>(
  fallback: string,
  meaning: string,
  allowed: string,
  parse: (text: string) => T | undefined,
  secret?: Setting<T>["secret"],
): Setting<T> {
  return { fallback, meaning, allowed, parse, secret };
}

/** The origin that an address names; empty for an empty one, undefined for what is no origin. */
export function origin(text: string): string | undefined {
  if (text === "") return "";
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    return undefined;
  return url.pathname === "/" ? url.origin : undefined;
}

function proxyAddress(text: string): string | undefined {
  return text === "" || /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined;
}

function smtpAddress(text: string): string | undefined {
  if (text === "") return "";
  const url = URL.parse(text);
  const isServer = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && url.search === "";
  if (!isServer || !/^\/?$/.test(url.pathname) || url.hash !== "") return undefined;
  return [url.username, url.password].every(isPercentEncoded) ? text : undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** An address, or a name with one in angle brackets. */
function sender(text: string): string | undefined {
  const address = /^[^<>"\p{Cc}]{1,100}<([^<>]+)>$/u.exec(text)?.[1] ?? text;
  return text === "" || z.email().safeParse(address).success ? text : undefined;
}

function apiAddress(text: string): string | undefined {
  if (text === "") return "";
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "" ? url.href : undefined;
}

function workers(text: string): number | undefined {
  if (text === "auto") return availableParallelism();
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 256 ? Number(text) : undefined;
}

function headerValue(text: string): string | undefined {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : undefined;
}

function waits(text: string): readonly number[] | undefined {
  if (!text.split(",").every((part) => /\d/.test(part))) return undefined; // Number("") would be 0
  const parsed = z.array(z.coerce.number().min(0).max(2_592_000)).length(2).safeParse(text.split(","));
  return parsed.success ? parsed.data : undefined;
}

function numberOf(text: string): number | undefined {
  const parsed = seconds.safeParse(text);
  return parsed.success ? parsed.data : undefined;
}

function leases(text: string): { shortest: number; default: number; longest: number } | undefined {
  const parsed = z.array(z.coerce.number().int().positive()).length(3).safeParse(text.split(","));
  if (!parsed.success) return undefined;
  const [shortest = 0, middle = 0, longest = 0] = parsed.data;
  return shortest <= middle && middle <= longest ? { shortest, default: middle, longest } : undefined;
}

function secretKeys(text: string): readonly Uint8Array[] | undefined {
  const keys = list(text);
  return keys.every((key) => /^[\da-f]{64}$/i.test(key)) ? keys.map((key) => Buffer.from(key, "hex")) : undefined;
}

function hostNames(text: string): readonly string[] | undefined {
  const names = list(text);
  const origin = /^([a-z][a-z\d+.-]*:\/\/)?(\*|\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*\.?)(:\d{1,5})?$/i;
  return names.every((name) => origin.test(name)) ? names : undefined;
}

function ranges(text: string): readonly string[] | undefined {
  try {
    parseAddressRanges(list(text));
    return list(text);
  } catch {
    return undefined;
  }
}
