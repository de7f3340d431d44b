/** Makes globs of names in any directory, even above the root; a string holds several, and `!` marks exceptions. */
function anywhere(...globs: readonly string[]): readonly string[] {
  return Object.freeze(
    globs.join(" ").split(" ").map((glob) => glob.replace(/^!?/, "$&/**/")),
  );
}

/** Endings of code and documents about secrets, which hold none. */
const CODE = "ts,js,mjs,go,py,rs,java,c,h,php,rb,md";

/** The {@linkcode SECRET_FILES} with the most specific names: for projects in which the whole list denies too much. */
export const SECRET_FILES_COMMON: readonly string[] = Object
  .freeze(
    anywhere(
      // Settings with passwords, and exceptions for templates.
      ".env* *.env *.env.local .dev.vars* .flaskenv",
      "!{.env,.dev.vars}*.{example,sample,template,dist,defaults,schema}",
      "!.env{_,-}{example,sample,template} !.env.{example,sample,template}.local",
      "!.env{,.d}.ts !{example,sample,template}.env .streamlit/secrets.toml",
      "local.settings.json wp-config.php",
      // Tokens of tools that fetch, upload and deploy.
      ".netrc _netrc .authinfo .npmrc .pypirc .git-credentials",
      "*.git/{config,config.worktree,FETCH_HEAD}",
      "*.git/{modules,worktrees}/**/{config,config.worktree,FETCH_HEAD}",
      ".config/git/credentials .config/gh/hosts.yml .config/hub",
      ".config/glab-cli/config.yml .config/tea/config.yml",
      ".config/gcloud/** .config/doctl/config.yaml .config/stripe/config.toml",
      ".config/rclone/rclone.conf .rclone.conf {ngrok,.ngrok2}/ngrok.yml",
      ".wrangler/config/default.toml .supabase/access-token .fly/config.yml",
      ".sentryclirc .modal.toml .dockercfg .docker/config.json",
      "{containers,.composer,composer}/auth.json .kube/** *.kubeconfig",
      ".aws/credentials .aws/{sso,cli,login}/cache/**",
      ".azure/* !.azure/*.{yml,yaml,md,bicep} !.azure/{pipelines,templates}",
      "*.publishsettings .oci/config .s3cfg .boto .databrickscfg",
      ".snowflake/connections.toml .dbt/profiles.yml .kaggle/kaggle.json",
      ".cache/huggingface/{token,stored_tokens} .huggingface/token",
      ".cargo/{credentials,credentials.toml} .gem/credentials .m2/settings.xml",
      ".gradle/gradle.properties key.properties",
      ".terraform.d/credentials.tfrc.json .terraformrc *.tfstate *.tfstate.*",
      "*.{tfvars,tfvars.json} !{,*.}{example,sample,template}.tfvars{,.json}",
      ".vault-token .vault{_,-}pass* k3s.yaml",
      "sftp.json sftp-config.json .ftpconfig",
      "{filezilla,.filezilla}/{sitemanager,recentservers}.xml",
      "{credentials,service{-,_}account*,serviceAccount*,client_secret*}.json",
      "!{service{-,_}account,serviceAccount,client_secret}*{-,_,.}schema.json",
      "*firebase-adminsdk*.json application_default_credentials.json",
      // Credentials of agents, and settings of their servers, with tokens.
      ".claude/.credentials.json .claude.json .codex/auth.json",
      ".{gemini,qwen}/{oauth_creds,*-oauth-tokens*}.json .copilot/config.json",
      ".config/github-copilot/* .local/share/opencode/{auth,mcp-auth}.json",
      ".local/share/amp/secrets.json .pi/agent/auth.json .factory/auth.*",
      ".cursor/mcp.json .codeium/windsurf/mcp_config.json",
      "{claude_desktop_config,cline_mcp_settings}.json",
      // Passwords of databases, servers and networks, and histories of shells.
      ".pgpass .my.cnf .mylogin.cnf .htpasswd .msmtprc .erlang.cookie",
      "*.nmconnection wpa_supplicant{,-*}.conf",
      ".{ash,bash,ksh,zsh,sh,fish,mysql,mariadb,psql,sqlite,duckdb,rediscli,influx,node_repl,python,php,irb,pry}_history",
      "{.histfile,.zhistory,.dbshell,fish_history,ConsoleHost_history.txt}",
      "{nushell/history.txt,atuin/history.db,.ipython/profile_*/history.sqlite}",
      "{.clickhouse-client-history,.cassandra/cqlsh_history,.viminfo,.lesshst}",
      ".mongodb/mongosh/*_history etc/{shadow,gshadow}{,-} proc/**/environ",
      // Logins of browsers.
      "key4.db {firefox,.thunderbird}/**/{logins.json,cookies.sqlite}",
      ".config/{google-chrome*,chromium,microsoft-edge*,BraveSoftware}/**/{Cookies,Login?Data,Web?Data}",
      "Google/Chrome*/**/{Cookies,Login?Data,Web?Data} playwright/.auth/*",
      // Private keys, and the stores that hold them.
      ".ssh/* !.ssh/{*.pub,known_hosts,config,authorized_keys} .gnupg/**",
      ".password-store/** id_{rsa,dsa,ecdsa,ed25519}*",
      `!id_{rsa,dsa,ecdsa,ed25519}*.{pub,${CODE}}`,
      "{deploy_key,ssh_host_*_key}",
      "*.{pem,key,ppk,p8,p12,pfx,pkcs12,jks,keystore,truststore,keytab,kdb,kdbx,keychain-db,keyring,kwl,ovpn}",
      "!{cert,*-cert,chain,fullchain,ca,cacert,ca-bundle,rootCA,public,dhparam}.pem",
      "wg[0-9]*.conf wallet.dat UTC--*",
      // After the exceptions for certificates: that of cloudflared holds a token.
      ".cloudflared/** .config/sops/age/keys.txt",
    )
      // Composer's, in the root alone: `locales/en/auth.json` is nobody's secret.
      .concat("auth.json"),
  );

/**
 * Globs of files that commonly hold secrets, for the `deny` of a workspace:
 * keys, tokens and passwords, but not example files.
 *
 * All but `auth.json` begin with `/**\/`, so that keys are denied even if the root
 * is `.ssh`. Like every rule, they also deny copies: `.env~`, `server.key.bak`.
 * The list has exceptions, so put your own rules after it: `deny:
 * [...SECRET_FILES, "private/**"]`. It goes by names alone;
 * `tests/core/guard/secret_files.md` says where each name comes from.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, SECRET_FILES } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/.env": "KEY=1", "/repo/.env.example": "KEY=" });
 * const workspace = await openWorkspace("/repo", { fs, deny: SECRET_FILES });
 * assertEquals((await workspace.read(".env.example")).text, "KEY=");
 * await assertRejects(() => workspace.read(".env"), Error, "the rule");
 * ```
 */
export const SECRET_FILES: readonly string[] = Object.freeze(
  SECRET_FILES_COMMON.concat(
    anywhere(
      // Names of files that often hold secrets, but not always.
      "secrets/* !secrets/*.{ts,tsx,go,rs,java,kt,c,h,cs,md}",
      "!secrets/{index,__init__}.{js,mjs,py} .secrets/**",
      "secrets.{json,yml,yaml,toml} credentials .aws/config",
      `kubeconfig* !kubeconfig*.{${CODE}} appsettings.*.json`,
      "!appsettings.{example,sample,template}.json Pulumi.*.yaml .yarnrc.yml",
      "pip.conf nuget.config .bundle/config *.{asc,gpg,age}",
      ".mcp.json .roo/mcp.json .kiro/settings/mcp.json",
      "storageState.json cypress.env.json",
    ),
  ),
);
