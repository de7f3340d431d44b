// Runtime-agnostic.

/**
 * Globs of files that commonly hold secrets, ready for a workspace's `deny`:
 * keys, tokens and passwords, but not the examples that stand in for them.
 *
 * It has exceptions in it, so rules of your own belong after it:
 * `deny: [...SECRET_FILES, "private/**"]`. It knows files by their names alone.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, SECRET_FILES } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/.env": "KEY=1", "/repo/.env.example": "KEY=" });
 * const workspace = await openWorkspace("/repo", { fs, deny: SECRET_FILES });
 * assertEquals((await readFile(workspace, ".env.example")).text, "KEY=");
 * await assertRejects(() => readFile(workspace, ".env"), Error, "the rule");
 * ```
 */
export const SECRET_FILES: readonly string[] = /* @__PURE__ */ Object.freeze([
  // Settings with passwords in them, and the templates without.
  "**/.env*",
  "**/*.env",
  "!**/.env*.{example,sample,template,dist,defaults}",
  "!**/{example,sample,template}.env",
  // Tokens of tools that fetch, upload and deploy.
  "**/.netrc",
  "**/_netrc",
  "**/.npmrc",
  "**/.pypirc",
  "**/.git-credentials",
  "**/.git/config",
  "**/.config/git/credentials",
  "**/.config/gh/hosts.yml",
  "**/.config/glab-cli/config.yml",
  "**/.config/gcloud/**",
  "**/.config/rclone/rclone.conf",
  "**/.dockercfg",
  "**/.docker/config.json",
  "**/.kube/config",
  "**/.aws/credentials",
  "**/.aws/{sso,cli}/cache/**",
  "**/.azure/**",
  "**/.s3cfg",
  "**/.boto",
  "**/.databrickscfg",
  "**/.cargo/{credentials,credentials.toml}",
  "**/.gem/credentials",
  "**/.m2/settings.xml",
  "**/.terraform.d/credentials.tfrc.json",
  "**/.terraformrc",
  "**/*.tfstate",
  "**/*.tfstate.backup",
  "**/.vault-token",
  "**/{credentials,service-account*,client_secret*}.json",
  // Passwords of databases and servers, and what was typed at them.
  "**/.pgpass",
  "**/.my.cnf",
  "**/.mylogin.cnf",
  "**/.htpasswd",
  "**/.{bash,zsh,sh,mysql,psql,rediscli,node_repl,python}_history",
  // Private keys, and the stores that hold them.
  "**/.ssh/*",
  "!**/.ssh/{*.pub,known_hosts,config,authorized_keys}",
  "**/.gnupg/**",
  "**/.password-store/**",
  "**/id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}",
  "**/*.{pem,key,ppk,p8,p12,pfx,jks,keystore,keytab,kdb,kdbx,ovpn}",
]);
