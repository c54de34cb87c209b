/**
 * Transactions that a commit does not write through to the disk: no process can lose one by ending, but a machine that loses
 * its power may lose the last of them. They are for what may be done again then. Asked for by the isolation level that
 * neither engine has a use for.
 */
export const UNSYNCED = "read uncommitted";
