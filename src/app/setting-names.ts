/** What is known of the settings before they are read: where they are kept, and which store is the usual one. */

/** The file of settings that the server and every command in a folder share. */
export const SETTINGS_FILE = "goodword.env";

/** The usual store, in the folder in which a command is started. */
export const DEFAULT_STORE_URL = "sqlite:data/goodword.db";
