/** Shell scripts that complete the program's commands and options. */
import type { Command } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

/** Returns the script for a shell. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === "fish") return fishScript(commands);
  const load = shell === "zsh" ? "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" : "";
  return load + bashScript(commands);
}

function bashScript(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name()).join(" ");
  const cases = commands.map((command) => `    ${command.name()}) words="${optionsOf(command).join(" ")}" ;;`);
  return `_goodword() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _goodword goodword
`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const name = command.name();
    const options = command.options.flatMap(({ long, description }) =>
      long
        ? [
            `complete -c goodword -n "__fish_seen_subcommand_from ${name}" -l ${long.slice(2)} -d ${quoted(description)}`,
          ]
        : [],
    );
    return [`complete -c goodword -n __fish_use_subcommand -a ${name} -d ${quoted(command.description())}`, ...options];
  });
  return `${lines.join("\n")}\n`;
}

function optionsOf(command: Command): string[] {
  return [...command.options.flatMap(({ long }) => (long ? [long] : [])), "--help"];
}

/** Quotes a text for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
