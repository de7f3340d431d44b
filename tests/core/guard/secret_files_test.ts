import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  readFile,
  ReadFileError,
  SECRET_FILES,
} from "../../../mod.ts";

/** What an entry is for: paths it denies, and like ones that it lets pass. */
interface Purpose {
  readonly denies: readonly string[];
  readonly passes: readonly string[];
}

const PURPOSES: Readonly<Record<string, Purpose>> = {
  "**/.env*": {
    denies: [".env", "a/b/.env", ".env.local", ".env.production", ".envrc"],
    passes: ["env", "a.envx", "src/env.ts", "env.example"],
  },
  "**/*.env": {
    denies: ["prod.env", "deploy/db.env", ".ENV"],
    passes: ["prod.env.ts", "environment"],
  },
  "**/.netrc": { denies: [".netrc"], passes: ["netrc", ".netrc.md"] },
  "**/_netrc": { denies: ["home/_netrc"], passes: ["x_netrc"] },
  "**/.npmrc": { denies: ["packages/a/.npmrc"], passes: ["npmrc", ".nvmrc"] },
  "**/.pypirc": { denies: [".pypirc"], passes: [".pylintrc"] },
  "**/.git-credentials": {
    denies: [".git-credentials"],
    passes: [".gitconfig", ".gitignore"],
  },
  "**/.git/config": {
    denies: [".git/config", "modules/a/.git/config"],
    passes: [".git/HEAD", "git/config", ".github/config"],
  },
  "**/.config/git/credentials": {
    denies: [".config/git/credentials"],
    passes: [".config/git/ignore"],
  },
  "**/.config/gh/hosts.yml": {
    denies: [".config/gh/hosts.yml"],
    passes: [".config/gh/config.yml", "hosts.yml"],
  },
  "**/.config/glab-cli/config.yml": {
    denies: [".config/glab-cli/config.yml"],
    passes: [".config/glab-cli/aliases.yml"],
  },
  "**/.config/gcloud/**": {
    denies: [
      ".config/gcloud/application_default_credentials.json",
      ".config/gcloud/a/b",
      ".config/gcloud",
    ],
    passes: [".config/gcloudx/a", "gcloud/a"],
  },
  "**/.config/rclone/rclone.conf": {
    denies: [".config/rclone/rclone.conf"],
    passes: [".config/rclone/readme"],
  },
  "**/.dockercfg": { denies: [".dockercfg"], passes: [".dockerignore"] },
  "**/.docker/config.json": {
    denies: ["home/.docker/config.json"],
    passes: ["docker/config.json", ".docker/daemon.json"],
  },
  "**/.kube/config": { denies: [".kube/config"], passes: ["kube/config"] },
  "**/.aws/credentials": {
    denies: [".aws/credentials"],
    passes: [".aws/config", "aws/credentials"],
  },
  "**/.aws/{sso,cli}/cache/**": {
    denies: [".aws/sso/cache/a.json", ".aws/cli/cache/b.json"],
    passes: [".aws/sso/x", "sso/cache/a.json"],
  },
  "**/.azure/**": {
    denies: [".azure/accessTokens.json", ".azure"],
    passes: ["azure/pipeline.yml", ".azure-pipelines/a.yml"],
  },
  "**/.s3cfg": { denies: [".s3cfg"], passes: ["s3cfg.md"] },
  "**/.boto": { denies: [".boto"], passes: ["boto.py"] },
  "**/.databrickscfg": { denies: [".databrickscfg"], passes: ["databricks"] },
  "**/.cargo/{credentials,credentials.toml}": {
    denies: [".cargo/credentials", ".cargo/credentials.toml"],
    passes: [".cargo/config.toml"],
  },
  "**/.gem/credentials": { denies: [".gem/credentials"], passes: [".gem/x"] },
  "**/.m2/settings.xml": {
    denies: [".m2/settings.xml"],
    passes: ["settings.xml"],
  },
  "**/.terraform.d/credentials.tfrc.json": {
    denies: [".terraform.d/credentials.tfrc.json"],
    passes: [".terraform.d/checkpoint_cache"],
  },
  "**/.terraformrc": { denies: [".terraformrc"], passes: ["terraformrc"] },
  "**/*.tfstate": { denies: ["infra/a.tfstate"], passes: ["infra/a.tf"] },
  "**/*.tfstate.backup": {
    denies: ["infra/a.tfstate.backup"],
    passes: ["a.backup"],
  },
  "**/.vault-token": { denies: [".vault-token"], passes: ["vault-token.ts"] },
  "**/{credentials,service-account*,client_secret*}.json": {
    denies: [
      "credentials.json",
      "keys/service-account.json",
      "service-account-prod.json",
      "client_secret_1.apps.json",
    ],
    passes: ["credentials.ts", "service-account.md", "package.json"],
  },
  "**/.pgpass": { denies: [".pgpass"], passes: ["pgpass"] },
  "**/.my.cnf": { denies: [".my.cnf"], passes: ["my.cnf"] },
  "**/.mylogin.cnf": { denies: [".mylogin.cnf"], passes: ["mylogin.cnf"] },
  "**/.htpasswd": { denies: ["web/.htpasswd"], passes: ["web/.htaccess"] },
  "**/.{bash,zsh,sh,mysql,psql,rediscli,node_repl,python}_history": {
    denies: [".bash_history", ".zsh_history", ".psql_history"],
    passes: ["bash_history", ".bashrc", "HISTORY.md"],
  },
  "**/.ssh/*": {
    denies: [".ssh/id_work", ".ssh/old/id_work", "home/.ssh/agent"],
    passes: ["ssh/id_work", ".sshx/a"],
  },
  "**/.gnupg/**": {
    denies: [".gnupg/private-keys-v1.d/a", ".gnupg"],
    passes: ["gnupg/a"],
  },
  "**/.password-store/**": {
    denies: [".password-store/mail.gpg"],
    passes: ["password-store/a"],
  },
  "**/id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}": {
    denies: ["id_rsa", "id_dsa", "id_ecdsa", "a/id_ed25519", "id_ed25519_sk"],
    passes: ["id_rsa.pub", "a/id_ed25519.pub", "id_rsa_test.ts", "grid_rsa"],
  },
  "**/*.{pem,key,ppk,p8,p12,pfx,jks,keystore,keytab,kdb,kdbx,ovpn}": {
    denies: [
      "server.pem",
      "tls/server.key",
      "putty.ppk",
      "AuthKey.p8",
      "cert.p12",
      "cert.PFX",
      "app.jks",
      "debug.keystore",
      "krb5.keytab",
      "pass.kdbx",
      "work.ovpn",
    ],
    passes: ["server.crt", "key.ts", "pem", "a.keys", "monkey"],
  },
};

/** What each exception lets pass, and like paths that are denied all the same. */
const EXCEPTIONS: Readonly<Record<string, Purpose>> = {
  "!**/.env*.{example,sample,template,dist,defaults}": {
    passes: [
      ".env.example",
      "a/.env.sample",
      ".env.template",
      ".env.dist",
      ".env.defaults",
      ".env.local.example",
    ],
    denies: [".env.example.local", ".env.examples"],
  },
  "!**/{example,sample,template}.env": {
    passes: ["example.env", "a/sample.env"],
    denies: ["my-example.env"],
  },
  "!**/.ssh/{*.pub,known_hosts,config,authorized_keys}": {
    passes: [
      ".ssh/id_rsa.pub",
      ".ssh/known_hosts",
      ".ssh/config",
      "home/.ssh/authorized_keys",
    ],
    denies: [".ssh/id_rsa", ".ssh/known_hosts.old", ".ssh/sub/a.pub"],
  },
};

/** Whether a workspace with these globs reads a file at `path`. */
async function isRead(
  path: string,
  deny: readonly string[],
): Promise<boolean> {
  const fs = memoryFs({ [`/ws/${path}`]: "text" });
  const workspace = await openWorkspace("/ws", { fs, deny });
  try {
    return (await readFile(workspace, path)).text === "text";
  } catch (error) {
    assert(error instanceof ReadFileError && error.is("POLICY_DENIED"));
    return false;
  }
}

describe("SECRET_FILES", () => {
  it("has no entry without a test", () => {
    const tested = [...Object.keys(PURPOSES), ...Object.keys(EXCEPTIONS)];
    assertEquals([...SECRET_FILES].sort(), tested.sort());
  });
  it("cannot be changed by whoever imports it", () => {
    assertThrows(() => (SECRET_FILES as string[]).pop(), TypeError);
  });
  for (const [glob, { denies, passes }] of Object.entries(PURPOSES)) {
    it(`denies by ${glob}`, async () => {
      for (const path of denies) {
        assert(!await isRead(path, [glob]), `not by itself: ${path}`);
        assert(!await isRead(path, SECRET_FILES), `not by all: ${path}`);
        const deep = `packages/a/${path}`;
        assert(!await isRead(deep, SECRET_FILES), `not below: ${deep}`);
      }
    });
    it(`lets pass what only looks like ${glob}`, async () => {
      for (const path of passes) {
        assert(await isRead(path, SECRET_FILES), path);
        assert(await isRead(`packages/a/${path}`, SECRET_FILES), path);
      }
    });
  }
  for (const [glob, { denies, passes }] of Object.entries(EXCEPTIONS)) {
    it(`makes the exception ${glob}`, async () => {
      const without = SECRET_FILES.filter((entry) => entry !== glob);
      for (const path of passes) {
        assert(await isRead(path, SECRET_FILES), `denied: ${path}`);
        assert(!await isRead(path, without), `no exception needed: ${path}`);
      }
      for (const path of denies) {
        assert(!await isRead(path, SECRET_FILES), `passes: ${path}`);
      }
    });
  }
  it("lets pass what a project is made of", async () => {
    for (
      const path of [
        "README.md",
        "package.json",
        "deno.json",
        "src/main.ts",
        "src/secret_files.ts",
        ".gitignore",
        ".github/workflows/ci.yml",
        "Makefile",
        "tsconfig.json",
        ".vscode/settings.json",
        "tests/keys_test.ts",
      ]
    ) {
      assert(await isRead(path, SECRET_FILES), path);
    }
  });
});
