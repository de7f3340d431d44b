import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  SECRET_FILES,
} from "../../../mod.ts";
import { SECRET_FILES_COMMON } from "../../../src/core/guard/secret_files.ts";

/** For each entry, paths that it denies, and similar paths that it allows. */
interface Purpose {
  readonly denies: readonly string[];
  readonly passes: readonly string[];
}

const PURPOSES: Readonly<Record<string, Purpose>> = {
  "/**/.env*": {
    denies: [".env", "a/b/.env", ".env.local", ".env.production", ".envrc"],
    passes: ["env", "a.envx", "src/env.ts", "env.example"],
  },
  "/**/*.env": {
    denies: ["prod.env", "deploy/db.env", ".ENV"],
    passes: ["prod.env.ts", "environment"],
  },
  "/**/*.env.local": {
    denies: ["prod.env.local"],
    passes: ["prod.env.locals", "env.local.ts"],
  },
  "/**/.dev.vars*": {
    denies: [".dev.vars", ".dev.vars.staging"],
    passes: ["dev.vars", ".dev.var"],
  },
  "/**/.flaskenv": { denies: [".flaskenv"], passes: ["flaskenv"] },
  "/**/.streamlit/secrets.toml": {
    denies: [".streamlit/secrets.toml"],
    passes: [".streamlit/config.toml"],
  },
  "/**/local.settings.json": {
    denies: ["local.settings.json"],
    passes: ["settings.json", "host.json"],
  },
  "/**/wp-config.php": {
    denies: ["wp-config.php"],
    passes: ["wp-config-sample.php", "wp-load.php"],
  },
  "/**/.netrc": { denies: [".netrc"], passes: ["netrc", ".netrc.md"] },
  "/**/.authinfo": { denies: [".authinfo"], passes: ["authinfo.el"] },
  "/**/_netrc": { denies: ["home/_netrc"], passes: ["x_netrc"] },
  "/**/.npmrc": { denies: ["packages/a/.npmrc"], passes: ["npmrc", ".nvmrc"] },
  "/**/.pypirc": { denies: [".pypirc"], passes: [".pylintrc"] },
  "/**/.git-credentials": {
    denies: [".git-credentials"],
    passes: [".gitconfig", ".gitignore"],
  },
  "/**/*.git/{config,config.worktree,FETCH_HEAD}": {
    denies: [
      ".git/config",
      "modules/a/.git/config",
      ".git/config.worktree",
      ".git/FETCH_HEAD",
      "repo.git/config",
      "mirrors/repo.git/FETCH_HEAD",
      ".git/config.lock",
    ],
    passes: [".git/HEAD", "git/config", ".github/config", "FETCH_HEAD"],
  },
  "/**/*.git/{modules,worktrees}/**/{config,config.worktree,FETCH_HEAD}": {
    denies: [
      ".git/modules/a/config",
      ".git/modules/libs/a/config",
      ".git/modules/a/FETCH_HEAD",
      ".git/worktrees/a/config.worktree",
      "repo.git/worktrees/a/FETCH_HEAD",
    ],
    passes: [".git/modules/a/HEAD", "git/modules/a/config"],
  },
  "/**/.config/git/credentials": {
    denies: [".config/git/credentials"],
    passes: [".config/git/ignore"],
  },
  "/**/.config/gh/hosts.yml": {
    denies: [".config/gh/hosts.yml"],
    passes: [".config/gh/config.yml", "hosts.yml"],
  },
  "/**/.config/glab-cli/config.yml": {
    denies: [".config/glab-cli/config.yml"],
    passes: [".config/glab-cli/aliases.yml"],
  },
  "/**/.config/gcloud/**": {
    denies: [
      ".config/gcloud/application_default_credentials.json",
      ".config/gcloud/a/b",
      ".config/gcloud",
    ],
    passes: [".config/gcloudx/a", "gcloud/a"],
  },
  "/**/.config/hub": {
    denies: [".config/hub"],
    passes: [".config/hub.md", "hub", ".config/hubs/a"],
  },
  "/**/.config/tea/config.yml": {
    denies: [".config/tea/config.yml"],
    passes: ["tea/config.yml"],
  },
  "/**/.config/doctl/config.yaml": {
    denies: [".config/doctl/config.yaml"],
    passes: [".config/doctl/a", "doctl/config.yaml"],
  },
  "/**/.config/stripe/config.toml": {
    denies: [".config/stripe/config.toml"],
    passes: ["stripe/config.toml"],
  },
  "/**/{ngrok,.ngrok2}/ngrok.yml": {
    denies: [".config/ngrok/ngrok.yml", ".ngrok2/ngrok.yml"],
    passes: ["ngrok.yml", "ngrok/README.md"],
  },
  "/**/.wrangler/config/default.toml": {
    denies: [
      ".wrangler/config/default.toml",
      ".config/.wrangler/config/default.toml",
    ],
    passes: [".wrangler/state/a", "wrangler.toml"],
  },
  "/**/.supabase/access-token": {
    denies: [".supabase/access-token"],
    passes: ["supabase/config.toml", "access-token.ts"],
  },
  "/**/.fly/config.yml": {
    denies: [".fly/config.yml"],
    passes: ["fly.toml", "fly/config.yml"],
  },
  "/**/.sentryclirc": { denies: [".sentryclirc"], passes: ["sentryclirc"] },
  "/**/.modal.toml": { denies: [".modal.toml"], passes: ["modal.toml"] },
  "/**/.config/rclone/rclone.conf": {
    denies: [".config/rclone/rclone.conf"],
    passes: [".config/rclone/readme"],
  },
  "/**/.rclone.conf": { denies: [".rclone.conf"], passes: ["rclone.conf"] },
  "/**/.dockercfg": { denies: [".dockercfg"], passes: [".dockerignore"] },
  "/**/.docker/config.json": {
    denies: ["home/.docker/config.json"],
    passes: ["docker/config.json", ".docker/daemon.json"],
  },
  "/**/{containers,.composer,composer}/auth.json": {
    denies: [
      "containers/auth.json",
      ".composer/auth.json",
      ".config/composer/auth.json",
    ],
    passes: ["src/auth.json", "composer/auth.json.md", "src/auth.ts"],
  },
  "/**/.kube/**": {
    denies: [".kube/config", ".kube/cache/oidc-login/a", ".kube"],
    passes: ["kube/config", ".kubernetes/a.yaml"],
  },
  "/**/*.kubeconfig": {
    denies: ["prod.kubeconfig"],
    passes: ["kubeconfigs.md", "a.kubeconfigs"],
  },
  "/**/.aws/credentials": {
    denies: [".aws/credentials"],
    passes: [".aws/cli/alias", "aws/credentials.ts"],
  },
  "/**/.aws/{sso,cli,login}/cache/**": {
    denies: [
      ".aws/sso/cache/a.json",
      ".aws/cli/cache/b.json",
      ".aws/login/cache/c.json",
    ],
    passes: [".aws/sso/x", "sso/cache/a.json"],
  },
  "/**/.azure/*": {
    denies: [".azure/accessTokens.json", ".azure/msal_token_cache.bin"],
    passes: ["azure/pipeline.yml", ".azure-pipelines/a.yml"],
  },
  "/**/*.publishsettings": {
    denies: ["site.publishsettings", "site.PublishSettings"],
    passes: ["publishsettings.md", "PublishSettings.tsx"],
  },
  "/**/.oci/config": { denies: [".oci/config"], passes: ["oci/config"] },
  "/**/.snowflake/connections.toml": {
    denies: [".snowflake/connections.toml"],
    passes: ["connections.toml"],
  },
  "/**/.dbt/profiles.yml": {
    denies: [".dbt/profiles.yml"],
    passes: ["profiles.yml", "dbt/profiles.yml"],
  },
  "/**/.huggingface/token": {
    denies: [".huggingface/token"],
    passes: [".huggingface/a", "huggingface/token"],
  },
  "/**/.s3cfg": { denies: [".s3cfg"], passes: ["s3cfg.md"] },
  "/**/.boto": { denies: [".boto"], passes: ["boto.py"] },
  "/**/.databrickscfg": { denies: [".databrickscfg"], passes: ["databricks"] },
  "/**/.kaggle/kaggle.json": {
    denies: [".kaggle/kaggle.json"],
    passes: ["kaggle.json"],
  },
  "/**/.cache/huggingface/{token,stored_tokens}": {
    denies: [".cache/huggingface/token", ".cache/huggingface/stored_tokens"],
    passes: [".cache/huggingface/hub/a", "huggingface/token"],
  },
  "/**/.cargo/{credentials,credentials.toml}": {
    denies: [".cargo/credentials", ".cargo/credentials.toml"],
    passes: [".cargo/config.toml"],
  },
  "/**/.gem/credentials": { denies: [".gem/credentials"], passes: [".gem/x"] },
  "/**/.m2/settings.xml": {
    denies: [".m2/settings.xml"],
    passes: ["settings.xml"],
  },
  "/**/.gradle/gradle.properties": {
    denies: [".gradle/gradle.properties"],
    passes: ["gradle.properties", "gradle/gradle.properties"],
  },
  "/**/key.properties": {
    denies: ["android/key.properties"],
    passes: ["key.properties.example", "local.properties"],
  },
  "/**/.terraform.d/credentials.tfrc.json": {
    denies: [".terraform.d/credentials.tfrc.json"],
    passes: [".terraform.d/checkpoint_cache"],
  },
  "/**/.terraformrc": { denies: [".terraformrc"], passes: ["terraformrc"] },
  "/**/*.tfstate": { denies: ["infra/a.tfstate"], passes: ["infra/a.tf"] },
  "/**/*.tfstate.*": {
    denies: ["infra/a.tfstate.backup", "a.tfstate.1718.backup"],
    passes: ["a.backup", "a.tfstates"],
  },
  "/**/*.{tfvars,tfvars.json}": {
    denies: ["prod.tfvars", "terraform.tfvars", "a.auto.tfvars.json"],
    passes: ["terraform.tfvars.example", "variables.tf"],
  },
  "/**/.vault-token": { denies: [".vault-token"], passes: ["vault-token.ts"] },
  "/**/.vault{_,-}pass*": {
    denies: [".vault_pass", ".vault-pass", ".vault_pass.txt"],
    passes: ["vault_pass.md", ".vault"],
  },
  "/**/sftp.json": { denies: [".vscode/sftp.json"], passes: ["sftp.ts"] },
  "/**/sftp-config.json": {
    denies: ["sftp-config.json"],
    passes: ["sftp-config.ts"],
  },
  "/**/.ftpconfig": { denies: [".ftpconfig"], passes: ["FtpConfig.java"] },
  "/**/{filezilla,.filezilla}/{sitemanager,recentservers}.xml": {
    denies: [
      ".config/filezilla/sitemanager.xml",
      "FileZilla/recentservers.xml",
    ],
    passes: ["sitemanager.xml", "filezilla/layout.xml"],
  },
  "/**/k3s.yaml": {
    denies: ["etc/rancher/k3s/k3s.yaml"],
    passes: ["k3s.yml.md"],
  },
  "/**/{credentials,service{-,_}account*,serviceAccount*,client_secret*}.json":
    {
      denies: [
        "credentials.json",
        "keys/service-account.json",
        "service-account-prod.json",
        "service_account.json",
        "serviceAccountKey.json",
        "client_secret_1.apps.json",
      ],
      passes: [
        "credentials.ts",
        "credentials_schema.json",
        "service-account.md",
        "package.json",
      ],
    },
  "/**/*firebase-adminsdk*.json": {
    denies: ["app-firebase-adminsdk-x1.json"],
    passes: ["firebase.json"],
  },
  "/**/application_default_credentials.json": {
    denies: ["application_default_credentials.json"],
    passes: ["default_credentials.md"],
  },
  "/**/.claude/.credentials.json": {
    denies: [".claude/.credentials.json"],
    passes: [".claude/settings.json"],
  },
  "/**/.claude.json": {
    denies: [".claude.json"],
    passes: [".claude/settings.json", "claude.json"],
  },
  "/**/.codex/auth.json": {
    denies: [".codex/auth.json"],
    passes: [".codex/config.toml"],
  },
  "/**/.{gemini,qwen}/{oauth_creds,*-oauth-tokens*}.json": {
    denies: [
      ".gemini/oauth_creds.json",
      ".gemini/mcp-oauth-tokens.json",
      ".qwen/oauth_creds.json",
      ".qwen/mcp-oauth-tokens-v2.json",
    ],
    passes: [".gemini/settings.json", ".qwen/QWEN.md"],
  },
  "/**/.copilot/config.json": {
    denies: [".copilot/config.json"],
    passes: [".copilot/skills/a.md", "copilot/config.json"],
  },
  "/**/.config/github-copilot/*": {
    denies: [
      ".config/github-copilot/hosts.json",
      ".config/github-copilot/apps.json",
    ],
    passes: ["github-copilot/a.md"],
  },
  "/**/.cursor/mcp.json": {
    denies: [".cursor/mcp.json"],
    passes: [".cursor/rules", "mcp.json", ".vscode/mcp.json"],
  },
  "/**/.local/share/opencode/{auth,mcp-auth}.json": {
    denies: [
      ".local/share/opencode/auth.json",
      ".local/share/opencode/mcp-auth.json",
    ],
    passes: [".local/share/opencode/log"],
  },
  "/**/.local/share/amp/secrets.json": {
    denies: [".local/share/amp/secrets.json"],
    passes: [".local/share/amp/a.json"],
  },
  "/**/.pi/agent/auth.json": {
    denies: [".pi/agent/auth.json"],
    passes: [".pi/agent/settings.json", "pi/agent/auth.json"],
  },
  "/**/.factory/auth.*": {
    denies: [".factory/auth.json", ".factory/auth.v2.file"],
    passes: [".factory/droids/a.md", "factory/auth.ts"],
  },
  "/**/.codeium/windsurf/mcp_config.json": {
    denies: [".codeium/windsurf/mcp_config.json"],
    passes: [".codeium/windsurf/memories/a.md", "mcp_config.json"],
  },
  "/**/{claude_desktop_config,cline_mcp_settings}.json": {
    denies: ["Claude/claude_desktop_config.json", "cline_mcp_settings.json"],
    passes: ["claude_desktop_config.md"],
  },
  "/**/.pgpass": { denies: [".pgpass"], passes: ["pgpass"] },
  "/**/.my.cnf": { denies: [".my.cnf"], passes: ["my.cnf"] },
  "/**/.mylogin.cnf": { denies: [".mylogin.cnf"], passes: ["mylogin.cnf"] },
  "/**/.htpasswd": { denies: ["web/.htpasswd"], passes: ["web/.htaccess"] },
  "/**/.msmtprc": { denies: [".msmtprc"], passes: ["msmtprc.md"] },
  "/**/.erlang.cookie": {
    denies: ["var/lib/rabbitmq/.erlang.cookie"],
    passes: ["src/cookie.erl"],
  },
  "/**/*.nmconnection": {
    denies: ["etc/NetworkManager/system-connections/home.nmconnection"],
    passes: ["nmconnection.md"],
  },
  "/**/wpa_supplicant{,-*}.conf": {
    denies: ["wpa_supplicant.conf", "etc/wpa_supplicant-wlan0.conf"],
    passes: ["wpa_supplicant.service"],
  },
  "/**/.{ash,bash,ksh,zsh,sh,fish,mysql,mariadb,psql,sqlite,duckdb,rediscli,influx,node_repl,python,php,irb,pry}_history":
    {
      denies: [
        ".bash_history",
        ".zsh_history",
        ".psql_history",
        ".irb_history",
        ".pry_history",
        ".duckdb_history",
      ],
      passes: ["bash_history", ".bashrc", "HISTORY.md"],
    },
  "/**/{.histfile,.zhistory,.dbshell,fish_history,ConsoleHost_history.txt}": {
    denies: [
      ".histfile",
      ".dbshell",
      ".local/share/fish/fish_history",
      "PSReadLine/ConsoleHost_history.txt",
    ],
    passes: ["history.txt", "histfile"],
  },
  "/**/{nushell/history.txt,atuin/history.db,.ipython/profile_*/history.sqlite}":
    {
      denies: [
        ".config/nushell/history.txt",
        ".local/share/atuin/history.db",
        ".ipython/profile_default/history.sqlite",
      ],
      passes: ["history.db", "nushell/config.nu"],
    },
  "/**/{.clickhouse-client-history,.cassandra/cqlsh_history,.viminfo,.lesshst}":
    {
      denies: [
        ".clickhouse-client-history",
        ".cassandra/cqlsh_history",
        ".viminfo",
        ".lesshst",
      ],
      passes: [".vimrc", ".lesskey", "cqlsh_history"],
    },
  "/**/key4.db": { denies: ["profile/key4.db"], passes: ["key.db"] },
  "/**/{firefox,.thunderbird}/**/{logins.json,cookies.sqlite}": {
    denies: [
      ".mozilla/firefox/a.default/logins.json",
      "Firefox/Profiles/a.default/cookies.sqlite",
      ".thunderbird/a.default/logins.json",
    ],
    passes: ["data/logins.json", "firefox/places.md"],
  },
  "/**/.config/{google-chrome*,chromium,microsoft-edge*,BraveSoftware}/**/{Cookies,Login?Data,Web?Data}":
    {
      denies: [
        ".config/google-chrome/Default/Cookies",
        ".config/google-chrome-beta/Profile 1/Login Data",
        ".config/chromium/Default/Network/Cookies",
        ".config/BraveSoftware/Brave-Browser/Default/Web Data",
        ".config/microsoft-edge/Default/Cookies",
      ],
      passes: ["src/cookies/mod.ts", ".config/chromium/Default/Bookmarks"],
    },
  "/**/Google/Chrome*/**/{Cookies,Login?Data,Web?Data}": {
    denies: [
      "Google/Chrome/Default/Cookies",
      "Google/Chrome/User Data/Default/Login Data",
    ],
    passes: ["src/chrome/cookies/mod.ts"],
  },
  "/**/playwright/.auth/*": {
    denies: ["playwright/.auth/user.json"],
    passes: ["playwright/auth.setup.ts"],
  },
  "/**/.mongodb/mongosh/*_history": {
    denies: [".mongodb/mongosh/mongosh_repl_history"],
    passes: [".mongodb/mongosh/config"],
  },
  "/**/etc/{shadow,gshadow}{,-}": {
    denies: ["etc/shadow", "etc/shadow-", "etc/gshadow"],
    passes: ["etc/passwd", "shadow", "src/shadow"],
  },
  "/**/proc/**/environ": {
    denies: ["proc/1/environ", "proc/1/task/1/environ"],
    passes: ["proc/1/status", "environ"],
  },
  "/**/.ssh/*": {
    denies: [".ssh/id_work", ".ssh/old/id_work", "home/.ssh/agent"],
    passes: ["ssh/id_work", ".sshx/a"],
  },
  "/**/.gnupg/**": {
    denies: [".gnupg/private-keys-v1.d/a", ".gnupg"],
    passes: ["gnupg/a"],
  },
  "/**/.password-store/**": {
    denies: [".password-store/mail.gpg"],
    passes: ["password-store/a"],
  },
  "/**/id_{rsa,dsa,ecdsa,ed25519}*": {
    denies: [
      "id_rsa",
      "id_dsa",
      "id_ecdsa",
      "a/id_ed25519",
      "id_ed25519_sk",
      "id_rsa.bak",
      "id_ed25519-work",
    ],
    passes: ["grid_rsa", "valid_rsa.ts"],
  },
  "/**/{deploy_key,ssh_host_*_key}": {
    denies: ["deploy_key", "etc/ssh/ssh_host_ed25519_key"],
    passes: ["deploy_key.pub", "ssh_host_rsa_key.pub", "deploy_keys.ts"],
  },
  "/**/*.{pem,key,ppk,p8,p12,pfx,pkcs12,jks,keystore,truststore,keytab,kdb,kdbx,keychain-db,keyring,kwl,ovpn}":
    {
      denies: [
        "server.pem",
        "tls/server.key",
        "putty.ppk",
        "AuthKey.p8",
        "cert.p12",
        "cert.PFX",
        "cert.pkcs12",
        "app.jks",
        "debug.keystore",
        "java.truststore",
        "krb5.keytab",
        "pass.kdbx",
        "login.keychain-db",
        ".local/share/keyrings/login.keyring",
        ".local/share/kwalletd/kdewallet.kwl",
        "work.ovpn",
      ],
      passes: ["server.crt", "key.ts", "pem", "a.keys", "monkey"],
    },
  "/**/wg[0-9]*.conf": {
    denies: ["wg0.conf", "etc/wireguard/wg1-home.conf"],
    passes: ["wg.conf", "nginx.conf"],
  },
  "/**/wallet.dat": { denies: ["wallet.dat"], passes: ["wallet.ts"] },
  "/**/UTC--*": {
    denies: ["keystore/UTC--2026-01-01T00-00-00.000Z--ab"],
    passes: ["UTC.md", "utc-offset.ts"],
  },
  "/**/.cloudflared/**": {
    denies: [".cloudflared/cert.pem", ".cloudflared/1.json"],
    passes: ["cloudflared/config.yml"],
  },
  "/**/.config/sops/age/keys.txt": {
    denies: [".config/sops/age/keys.txt"],
    passes: ["keys.txt", ".config/sops/config.yml"],
  },
  "/**/secrets/*": {
    denies: ["secrets/a", "secrets/b/c", "secrets/b/mod.ts", "secrets/prod.py"],
    passes: ["secret/a", "secrets.md", "src/secrets.ts", "secrets"],
  },
  "/**/.secrets/**": {
    denies: [".secrets", ".secrets/b/c", ".secrets/mod.ts"],
    passes: [".secret/a"],
  },
  "/**/.aws/config": { denies: [".aws/config"], passes: ["aws/config"] },
  "/**/.bundle/config": {
    denies: [".bundle/config"],
    passes: ["bundle/config", ".bundle/plugin/index"],
  },
  "/**/.mcp.json": { denies: [".mcp.json"], passes: ["mcp.json"] },
  "/**/.roo/mcp.json": {
    denies: [".roo/mcp.json"],
    passes: [".roo/rules/a.md"],
  },
  "/**/.kiro/settings/mcp.json": {
    denies: [".kiro/settings/mcp.json"],
    passes: [".kiro/steering/a.md"],
  },
  "/**/storageState.json": {
    denies: ["e2e/storageState.json"],
    passes: ["storageState.ts"],
  },
  "/**/cypress.env.json": {
    denies: ["cypress.env.json"],
    passes: ["cypress.env.example.json", "cypress.config.ts"],
  },
  "/**/secrets.{json,yml,yaml,toml}": {
    denies: ["secrets.json", "secrets.yml", "config/secrets.yaml"],
    passes: ["secrets.example.json", "secrets.ts"],
  },
  "/**/credentials": {
    denies: ["credentials", "config/credentials"],
    passes: ["credentials.md", "src/credentials.ts"],
  },
  "/**/kubeconfig*": {
    denies: ["kubeconfig", "kubeconfig.yaml", "kubeconfig-prod"],
    passes: ["kube.ts", "my-kubeconfig.md"],
  },
  "/**/appsettings.*.json": {
    denies: ["appsettings.Production.json", "appsettings.Development.json"],
    passes: ["appsettings.json", "appsettings.cs"],
  },
  "/**/Pulumi.*.yaml": {
    denies: ["Pulumi.prod.yaml"],
    passes: ["Pulumi.yaml"],
  },
  "/**/.yarnrc.yml": {
    denies: [".yarnrc.yml"],
    passes: [".yarnrc", "yarn.lock"],
  },
  "/**/pip.conf": {
    denies: ["pip.conf", ".config/pip/pip.conf"],
    passes: ["requirements.txt"],
  },
  "/**/nuget.config": {
    denies: ["nuget.config", "NuGet.Config"],
    passes: ["nuget.md"],
  },
  "/**/*.{asc,gpg,age}": {
    denies: ["key.asc", "secret.gpg", "notes.age"],
    passes: ["age", "page.html"],
  },
};

/** For each exception, paths that it allows, and similar paths that stay denied. */
const EXCEPTIONS: Readonly<Record<string, Purpose>> = {
  "!/**/{.env,.dev.vars}*.{example,sample,template,dist,defaults,schema}": {
    passes: [
      ".env.example",
      "a/.env.sample",
      ".env.template",
      ".env.dist",
      ".env.defaults",
      ".env.schema",
      ".env.local.example",
      ".dev.vars.example",
    ],
    denies: [".env.prod.local", ".env.examples", ".dev.vars.prod"],
  },
  "!/**/.env.{example,sample,template}.local": {
    passes: [".env.example.local", "a/.env.sample.local"],
    denies: [".env.local", ".env.examples.local"],
  },
  "!/**/.env{_,-}{example,sample,template}": {
    passes: [".env_example", ".env-example", "a/.env-sample"],
    denies: [".env_prod", ".env-example.local"],
  },
  "!/**/.env{,.d}.ts": {
    passes: [".env.d.ts", "src/.env.ts"],
    denies: [".env.tsx", ".env.d"],
  },
  "!/**/{example,sample,template}.env": {
    passes: ["example.env", "a/sample.env"],
    denies: ["my-example.env"],
  },
  "!/**/.azure/*.{yml,yaml,md,bicep}": {
    passes: [
      ".azure/azure-pipelines.yml",
      ".azure/README.md",
      ".azure/main.bicep",
    ],
    denies: [".azure/config", ".azure/a/b.yml"],
  },
  "!/**/.azure/{pipelines,templates}": {
    passes: [".azure/pipelines/ci.yml", ".azure/templates/a/b.yml"],
    denies: [".azure/pipelinesx/ci.yml"],
  },
  "!/**/{,*.}{example,sample,template}.tfvars{,.json}": {
    passes: [
      "example.tfvars",
      "infra/prod.sample.tfvars",
      "template.tfvars.json",
    ],
    denies: ["my-example.tfvars", "example.auto.tfvars"],
  },
  "!/**/{service{-,_}account,serviceAccount,client_secret}*{-,_,.}schema.json":
    {
      passes: ["service_account_schema.json", "client_secret.schema.json"],
      denies: ["service_account_schemas.json", "service_account.json"],
    },
  "!/**/.ssh/{*.pub,known_hosts,config,authorized_keys}": {
    passes: [
      ".ssh/id_work.pub",
      ".ssh/known_hosts",
      ".ssh/config",
      "home/.ssh/authorized_keys",
    ],
    denies: [".ssh/id_rsa", ".ssh/known_hosts.old", ".ssh/sub/a.pub"],
  },
  "!/**/id_{rsa,dsa,ecdsa,ed25519}*.{pub,ts,js,mjs,go,py,rs,java,c,h,php,rb,md}":
    {
      passes: [
        "id_rsa.pub",
        "a/id_ed25519-work.pub",
        "id_rsa_test.ts",
        "id_rsa.java",
        "id_rsa.c",
        "id_rsa.php",
        "id_rsa.rb",
      ],
      denies: ["id_rsa.txt", "id_rsa.pub.bak", "id_rsa.java~"],
    },
  "!/**/{cert,*-cert,chain,fullchain,ca,cacert,ca-bundle,rootCA,public,dhparam}.pem":
    {
      passes: [
        "cert.pem",
        "tls/fullchain.pem",
        "ca.pem",
        "ca-cert.pem",
        "my-cert.pem",
        "public.pem",
        "rootCA.pem",
        "dhparam.pem",
      ],
      denies: ["privkey.pem", "rootCA-key.pem", "republic.pem", "cert.pem.bak"],
    },
  "!/**/secrets/*.{ts,tsx,go,rs,java,kt,c,h,cs,md}": {
    passes: ["src/secrets/mod.ts", "src/secrets/index.ts", "secrets/README.md"],
    denies: ["secrets/a.tsv", "secrets/a/index.ts", "secrets/a.ts.bak"],
  },
  "!/**/secrets/{index,__init__}.{js,mjs,py}": {
    passes: ["src/secrets/index.js", "app/secrets/__init__.py"],
    denies: ["secrets/settings.py", "secrets/prod.js"],
  },
  "!/**/kubeconfig*.{ts,js,mjs,go,py,rs,java,c,h,php,rb,md}": {
    passes: ["kubeconfig.go", "kubeconfig_test.go"],
    denies: ["kubeconfig.yml"],
  },
  "!/**/appsettings.{example,sample,template}.json": {
    passes: ["appsettings.example.json"],
    denies: ["appsettings.examples.json"],
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
    return (await workspace.read(path)).text === "text";
  } catch (error) {
    assert(error instanceof ReadFileError && error.is("POLICY_DENIED"));
    return false;
  }
}

describe("SECRET_FILES", () => {
  it("has a test for each entry", () => {
    const tested = [...Object.keys(PURPOSES), ...Object.keys(EXCEPTIONS)];
    assertEquals([...SECRET_FILES].sort(), [...tested, "auth.json"].sort());
  });
  it("is frozen", () => {
    assertThrows(() => (SECRET_FILES as string[]).pop(), TypeError);
    assertThrows(() => (SECRET_FILES_COMMON as string[]).pop(), TypeError);
  });
  it("begins with SECRET_FILES_COMMON, which denies only names of secrets", async () => {
    const { length } = SECRET_FILES_COMMON;
    assertEquals(SECRET_FILES.slice(0, length), SECRET_FILES_COMMON);
    for (const path of [".env", ".ssh/id_work", "server.key", ".git/config"]) {
      assert(!await isRead(path, SECRET_FILES_COMMON), path);
    }
    for (const path of ["src/secrets/a.txt", "credentials", ".yarnrc.yml"]) {
      assert(await isRead(path, SECRET_FILES_COMMON), path);
      assert(!await isRead(path, SECRET_FILES), path);
    }
  });
  for (const [glob, { denies, passes }] of Object.entries(PURPOSES)) {
    it(`denies by ${glob}`, async () => {
      for (const path of denies) {
        assert(
          !await isRead(path, [glob]),
          `not denied by the glob alone: ${path}`,
        );
        assert(!await isRead(path, SECRET_FILES), `not denied by all: ${path}`);
        const deep = `packages/a/${path}`;
        assert(!await isRead(deep, SECRET_FILES), `not below: ${deep}`);
      }
    });
    it(`allows names that resemble ${glob}`, async () => {
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
        assert(!await isRead(path, without), `needs no exception: ${path}`);
      }
      for (const path of denies) {
        assert(!await isRead(path, SECRET_FILES), `passes: ${path}`);
      }
    });
  }
  it("denies Composer's auth.json in the root alone", async () => {
    assert(!await isRead("auth.json", SECRET_FILES));
    assert(!await isRead("auth.json.bak", SECRET_FILES));
    assert(await isRead("auth.json", SECRET_FILES.slice(0, 20)));
    for (const path of ["locales/en/auth.json", "src/auth.json"]) {
      assert(await isRead(path, SECRET_FILES), path);
    }
  });
  it("allows the files of ordinary projects", async () => {
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
  for (
    const [root, denies, passes] of [
      ["/home/me/.ssh", ["id_work", "agent/a"], ["id_work.pub", "config"]],
      ["/home/me/.ssh/work", ["id_work", "known_hosts"], []],
      ["/home/me/.aws", ["credentials", "sso/cache/a.json"], ["cli/alias"]],
      ["/home/me/.aws/sso", ["cache/a.json"], ["a.json"]],
      ["/home/me/.kube", ["config", "cache/a"], []],
      ["/srv/repo.git", ["config", "modules/a/FETCH_HEAD"], ["HEAD"]],
      ["/home/me/.ssh.bak", ["id_work"], []],
      ["/home/me/.docker", ["config.json"], ["daemon.json"]],
      ["/home/me/.config", ["gh/hosts.yml", "gcloud/a"], ["gh/config.yml"]],
      ["/home/me/.config/gcloud", ["a", "b/c"], []],
      ["/home/me/.config/gcloud/a/b", ["c"], []],
      ["/repo/.git", ["config", "modules/a/config", "FETCH_HEAD"], ["HEAD"]],
      ["/repo/.git/modules", ["a/config"], ["a/HEAD"]],
      ["/home/me/.gnupg", ["private-keys-v1.d/a", "pubring.kbx"], []],
      ["/home/me/.cargo", ["credentials.toml"], ["config.toml"]],
      ["/home/me/.m2", ["settings.xml"], ["repository/a"]],
      ["/home/me/.SSH", ["id_work"], ["id_work.pub"]],
      ["/run/secrets", ["token"], []],
      ["/etc", ["shadow"], ["passwd"]],
      ["/proc", ["1/environ"], ["1/status"]],
      ["/", ["etc/shadow", "root/.ssh/a", "proc/1/environ"], ["etc/passwd"]],
    ] as const
  ) {
    it(`applies with ${root} as the root`, async () => {
      const at = root === "/" ? "" : root;
      const paths = [...denies, ...passes];
      const fs = memoryFs({
        ...Object.fromEntries(paths.map((path) => [`${at}/${path}`, "text"])),
        "/link": { link: root },
      });
      for (const given of [root, "/link"]) {
        const workspace = await openWorkspace(given, {
          fs,
          deny: SECRET_FILES,
        });
        for (const path of denies) {
          const error = await assertRejects(
            () => workspace.read(path),
            ReadFileError,
          );
          assertEquals(error.code, "POLICY_DENIED", path);
        }
        for (const path of passes) {
          assertEquals((await workspace.read(path)).text, "text", path);
        }
        const hiding = await openWorkspace(given, {
          fs,
          deny: SECRET_FILES,
          denied: "hide",
        });
        for (const path of denies) {
          const error = await assertRejects(
            () => hiding.read(path),
            ReadFileError,
          );
          assertEquals(error.code, "NOT_FOUND", path);
        }
      }
    });
  }
  it("applies in a narrowed workspace", async () => {
    const fs = memoryFs({ "/home/me/.ssh/id_work": "KEY" });
    const home = await openWorkspace("/home/me", { fs });
    const narrow = await home.narrow({ root: ".ssh", deny: SECRET_FILES });
    await assertRejects(
      () => narrow.read("id_work"),
      ReadFileError,
      "rule",
    );
  });
});

/** Copies, by the rule that denies the original; each is denied by this rule alone. */
const COPIES: Readonly<Record<string, readonly string[]>> = {
  "**/*.key": [
    "server.key~",
    "server.key.~1~",
    "server.key.bak",
    "server.key.BAK",
    "server.key.old",
    "server.key.orig",
    "server.key.save",
    "server.key.save.1",
    "server.key.tmp",
    "server.key.backup",
    "server.key.lock",
    "server.key.1",
    "server.key.12",
    "server.key.bak~",
    "server.key.bak.1.old~",
    "#server.key#",
    "#server.key#~",
    ".server.key.swp",
    ".server.key.swo",
    ".server.key.un~",
    "a/server.key.bak",
    "server.key.\uff42ak",
    "server.key.bak::$DATA",
    "server.key.bak.",
  ],
  "**/id_rsa": [".id_rsa.swp", ".id_rsa.swn", "id_rsa~", ".id_rsa.un~"],
  "**/.env": ["#.env#", ".env.swp", "..env.swp", ".env.lock"],
  "**/.ssh/*": [".ssh.bak/id_work", ".ssh~/id_work", ".ssh.old.1/id_work"],
  "data/**": ["data.bak/a", "data~"],
};

describe("a copy of a denied file", () => {
  for (const [glob, paths] of Object.entries(COPIES)) {
    it(`is denied by ${glob}, and hidden`, async () => {
      for (const path of paths) {
        assert(!await isRead(path, [glob]), path);
        const fs = memoryFs({ [`/ws/${path}`]: "text" });
        const options = { fs, deny: [glob], denied: "hide" } as const;
        const workspace = await openWorkspace("/ws", options);
        const error = await assertRejects(
          () => workspace.read(path),
          ReadFileError,
        );
        assertEquals(error.code, "NOT_FOUND", path);
      }
    });
  }
  it("of the list is denied", async () => {
    for (
      const path of [
        "wp-config.php.bak",
        ".npmrc.bak",
        "credentials.json~",
        ".bash_history.bak",
        ".git/config.lock",
        "server.pem.old",
        "keys.old/server.key.orig",
      ]
    ) assert(!await isRead(path, SECRET_FILES), path);
  });
  it("needs an exception for its own name", async () => {
    const deny = ["**/*.key", "!**/*.key.bak"];
    assert(await isRead("a.key.bak", deny));
    assert(!await isRead("a.key.old", deny));
    assert(!await isRead("b.pem.bak", ["**/*.pem", "!**/b.pem"]));
  });
  it("is not what only resembles one", async () => {
    const deny = ["**/v1", "**/data", "**/*.key", "**/server", "**/x"];
    for (
      const path of [
        "v1.2",
        "v1.2.3",
        "data.baked",
        "data.bak.md",
        "data-bak",
        "databak",
        "#data",
        "~data",
        "server.key1.md",
        "key.bak",
        ".bak",
        "~",
        "#",
        "##",
        ".swp",
        "x.1234",
      ]
    ) assert(await isRead(path, deny), path);
  });
  it("is not denied by a rule that leaves its name out", async () => {
    assert(await isRead("Cargo.lock", ["!(*.lock|Cargo.toml)"]));
    assert(!await isRead("Cargo", ["!(*.lock|Cargo.toml)"]));
    assert(!await isRead("a.bak", ["!(*.lock)"]));
  });
});

describe("a user's glob", () => {
  it("starts at the root, even with two stars", async () => {
    const fs = memoryFs({ "/build/ws/a": "text", "/build/ws/build/a": "text" });
    const deny = ["**/build/**", "build/ws/**", "**/ws/*"];
    const workspace = await openWorkspace("/build/ws", { fs, deny });
    assertEquals((await workspace.read("a")).text, "text");
    await assertRejects(() => workspace.read("build/a"), ReadFileError);
  });
  it("starts at / if it begins with a slash and two stars", async () => {
    const fs = memoryFs({ "/build/ws/a": "text", "/build/ws/b.pub": "text" });
    for (const deny of [["/**/build/**"], ["/**/build"], ["/**/ws/*"]]) {
      const workspace = await openWorkspace("/build/ws", { fs, deny });
      const error = await assertRejects(
        () => workspace.read("a"),
        ReadFileError,
      );
      assertEquals(error.details, { rule: deny[0] });
    }
    const deny = ["/**/ws/*", "!/**/ws/*.pub"];
    const workspace = await openWorkspace("/build/ws", { fs, deny });
    assertEquals((await workspace.read("b.pub")).text, "text");
  });
  it("allows nothing in a root below a denied directory", async () => {
    const fs = memoryFs({ "/build/ws/a": "text" });
    const deny = ["/**/build", "!a", "!**", "!/**/a"];
    const workspace = await openWorkspace("/build/ws", { fs, deny });
    await assertRejects(() => workspace.read("a"), ReadFileError, "rule");
  });
});
