/** `goodword export`: writes the publication as static files. */
import { baseUrlOf, type Config } from "../config.ts";
import { exportLine, exportSite, NOT_EXPORTED } from "../owner/exporting.ts";
import { asTyped } from "../terminal/typed-command.ts";

/**
 * Writes the files below `folder`, and says what was written. `isSite`: whether the store is that of a site among many.
 * @throws Error if the sample would overwrite another export, or stand for a site.
 */
export async function exportCommand(config: Config, folder: string, isSite: boolean): Promise<void> {
  if (config.BASE_URL === "") {
    process.stderr.write(
      `warning: BASE_URL is not set, so every link leads to ${baseUrlOf(config, config.PORT)}. Set it to the address of the site: BASE_URL=https://reviews.example.com ${asTyped("goodword export")} ${folder}\n`,
    );
  }
  process.stdout.write(`${exportLine(await exportSite(config, folder, { isSite }), folder)}\n${NOT_EXPORTED}\n`);
}
