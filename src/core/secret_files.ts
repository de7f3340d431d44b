// Runtime-agnostic.

/**
 * Globs of files that commonly hold secrets, ready for a workspace's `deny`:
 * keys, tokens and passwords, but not the examples that stand in for them.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, SECRET_FILES } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/.env": "KEY=1", "/repo/.env.example": "KEY=" });
 * const workspace = await openWorkspace("/repo", { fs, deny: SECRET_FILES });
 * assertEquals((await readFile(workspace, ".env.example")).text, "KEY=");
 * await assertRejects(() => readFile(workspace, ".env"), Error, "**\/.env");
 * ```
 */
export const SECRET_FILES: readonly string[] = [
  // Settings with passwords in them, and the templates without.
  "**/.env",
  "**/.env.*",
  "**/.envrc",
  "!**/.env.{example,sample,template,dist,defaults}",
  // Tokens of tools that upload, fetch and deploy.
  "**/.netrc",
  "**/_netrc",
  "**/.npmrc",
  "**/.pypirc",
  "**/.git-credentials",
  "**/.dockercfg",
  "**/.docker/config.json",
  "**/.kube/config",
  "**/.aws/credentials",
  "**/.azure/**",
  "**/.config/gcloud/**",
  "**/.config/gh/hosts.yml",
  "**/.cargo/credentials",
  "**/.cargo/credentials.toml",
  "**/.gem/credentials",
  "**/.terraform.d/credentials.tfrc.json",
  "**/.vault-token",
  "**/service-account*.json",
  // Passwords of databases and servers.
  "**/.pgpass",
  "**/.my.cnf",
  "**/.htpasswd",
  // Private keys, and the stores that hold them.
  "**/.ssh/*",
  "!**/.ssh/{*.pub,known_hosts,config,authorized_keys}",
  "**/.gnupg/**",
  "**/id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}",
  "**/*.{pem,key,ppk,p12,pfx,jks,keystore,kdbx}",
];
