// Runtime-agnostic.

/** Makes globs of names in any directory, even above the root; a string holds several, and `!` marks exceptions. */
function anywhere(...globs: readonly string[]): readonly string[] {
  return Object.freeze(
    globs.join(" ").split(" ").map((glob) => glob.replace(/^!?/, "$&/**/")),
  );
}

/** The {@linkcode SECRET_FILES} with the most specific names: for projects in which the whole list denies too much. */
export const SECRET_FILES_COMMON: readonly string[] = /* @__PURE__ */ anywhere(
  // Settings with passwords, and exceptions for templates.
  ".env* *.env *.env.local .dev.vars* .flaskenv",
  "!{.env,.dev.vars}*.{example,sample,template,dist,defaults,schema}",
  "!.env{_,-}{example,sample,template} !.env{,.d}.ts",
  "!{example,sample,template}.env .streamlit/secrets.toml local.settings.json",
  "wp-config.php",
  // Tokens of tools that fetch, upload and deploy.
  ".netrc _netrc .npmrc .pypirc .git-credentials .git/config",
  ".git/modules/**/config .git/FETCH_HEAD .config/git/credentials",
  ".config/gh/hosts.yml .config/glab-cli/config.yml .config/gcloud/**",
  ".config/rclone/rclone.conf .dockercfg .docker/config.json",
  "{containers,.composer,composer}/auth.json .kube/config .aws/credentials",
  ".aws/{sso,cli}/cache/** .azure/* !.azure/*.{yml,yaml,md}",
  "!.azure/{pipelines,templates} .s3cfg .boto .databrickscfg",
  ".kaggle/kaggle.json .cache/huggingface/{token,stored_tokens}",
  ".cargo/{credentials,credentials.toml} .gem/credentials .m2/settings.xml",
  ".gradle/gradle.properties .terraform.d/credentials.tfrc.json .terraformrc",
  "*.tfstate *.tfstate.* *.{tfvars,tfvars.json} .vault-token .vault{_,-}pass*",
  "sftp.json k3s.yaml",
  "{credentials,service{-,_}account*,serviceAccount*,client_secret*}.json",
  "*firebase-adminsdk*.json application_default_credentials.json",
  // Credentials of agents.
  ".claude/.credentials.json .claude.json .codex/auth.json",
  ".gemini/oauth_creds.json .config/github-copilot/* .cursor/mcp.json",
  ".local/share/opencode/auth.json",
  // Passwords of databases and servers, and histories of their shells.
  ".pgpass .my.cnf .mylogin.cnf .htpasswd",
  ".{ash,bash,ksh,zsh,sh,fish,mysql,mariadb,psql,sqlite,rediscli,influx,node_repl,python,php,irb}_history",
  "{.histfile,.zhistory,.dbshell,fish_history,ConsoleHost_history.txt}",
  ".mongodb/mongosh/*_history etc/{shadow,gshadow}{,-} proc/**/environ",
  // Private keys, and the stores that hold them.
  ".ssh/* !.ssh/{*.pub,known_hosts,config,authorized_keys} .gnupg/**",
  ".password-store/** id_{rsa,dsa,ecdsa,ed25519}*",
  "!id_{rsa,dsa,ecdsa,ed25519}*.{pub,ts,js,mjs,go,py,rs,md}",
  "{deploy_key,ssh_host_*_key}",
  "*.{pem,key,ppk,p8,p12,pfx,pkcs12,jks,keystore,truststore,keytab,kdb,kdbx,keychain-db,ovpn}",
  "!{cert,chain,fullchain,ca,cacert,ca-cert,ca-bundle}.pem",
  "*.{key,pem}.{bak,old,orig} wg[0-9]*.conf wallet.dat UTC--*",
  // After the exceptions for certificates: that of cloudflared holds a token.
  ".cloudflared/** .config/sops/age/keys.txt",
);

/**
 * Globs of files that commonly hold secrets, for the `deny` of a workspace:
 * keys, tokens and passwords, but not example files.
 *
 * They begin with `/**\/`, so that keys are denied even if the root is `.ssh`.
 * The list has exceptions, so put your own rules after it: `deny:
 * [...SECRET_FILES, "private/**"]`. It goes by names alone; `docs/secrets.md`
 * says where each name comes from.
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
export const SECRET_FILES: readonly string[] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ SECRET_FILES_COMMON.concat(
    /* @__PURE__ */ anywhere(
      // Names of files that often hold secrets, but not always.
      "{secrets,.secrets}/** secrets.{json,yml,yaml,toml} credentials",
      "kubeconfig* !kubeconfig*.{ts,js,mjs,go,py,rs,md} appsettings.*.json",
      "!appsettings.{example,sample,template}.json Pulumi.*.yaml .yarnrc.yml",
      "pip.conf nuget.config *.{asc,gpg,age}",
    ),
  ),
);
