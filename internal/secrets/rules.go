package secrets

// rule describes one kind of credential. Its pattern is matched where one of its keys stands, so a key is always the
// beginning of what the pattern describes.
type rule struct {
	id      string
	what    string
	keys    []string // lower case
	pattern string   // anchored by the scanner; group 1, when present, is the value
	entropy float64  // smallest Shannon entropy of the value, bits a character
	inside  bool     // may begin in the middle of a word
	human   bool     // a person may have made the value up: words of manuals and values that stand for another are none
	pair    bool     // the value is base64 of user:password
}

// tokenRules are credentials that can be told by their own shape.
func tokenRules() []rule {
	return joined(cloudRules(), forgeRules(), chatRules(), paymentRules(), serviceRules(), modelRules(), buildRules(), peopleRules(), placeRules(), contextRules())
}

func joined(lists ...[]rule) []rule {
	var all []rule
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func cloudRules() []rule {
	return []rule{
		{id: "aws-access-key", what: "AWS access key id", keys: []string{"akia", "asia", "abia", "acca", "a3t"},
			pattern: `(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`, entropy: 2.5},
		{id: "aws-secret-key", what: "AWS secret access key", keys: []string{"aws_secret", "aws-secret", "awssecret", "secretaccesskey", "secret_access_key", "secret-access-key"}, inside: true,
			pattern: `(?i:[a-z_-]{0,40}["']?\s{0,8}(?::=|=>|[=:])\s{0,8}["']?)([A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=])`, entropy: 3.5},
		{id: "aws-bedrock-key", what: "AWS Bedrock API key", keys: []string{"absk"}, pattern: `ABSK[A-Za-z0-9+/]{109,269}={0,2}`, entropy: 3},
		{id: "gcp-api-key", what: "Google API key", keys: []string{"aiza"}, pattern: `AIza[0-9A-Za-z_-]{35}`, entropy: 3},
		{id: "gcp-oauth-secret", what: "Google OAuth client secret", keys: []string{"gocspx-"}, pattern: `GOCSPX-[0-9A-Za-z_-]{28}`, entropy: 3},
		{id: "gcp-oauth-token", what: "Google OAuth access token", keys: []string{"ya29."}, pattern: `ya29\.[0-9A-Za-z_-]{30,}`, entropy: 3},
		{id: "azure-storage-key", what: "Azure storage account key", keys: []string{"accountkey="}, inside: true, pattern: `(?i:accountkey=)([A-Za-z0-9+/]{86}==)`, entropy: 3.5},
		{id: "azure-shared-key", what: "Azure shared access key", keys: []string{"sharedaccesskey="}, inside: true, pattern: `(?i:sharedaccesskey=)([A-Za-z0-9+/]{43}=)`, entropy: 3.5},
		{id: "azure-sas", what: "Azure shared access signature", keys: []string{"sig="}, inside: true, pattern: `sig=([A-Za-z0-9%+/]{43,80}(?:%3[dD]|=))`, entropy: 3.5},
		{id: "alibaba-access-key", what: "Alibaba access key id", keys: []string{"ltai"}, pattern: `LTAI[A-Za-z0-9]{17,21}`, entropy: 3},
		{id: "digitalocean-token", what: "DigitalOcean token", keys: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, pattern: `do[por]_v1_[a-f0-9]{64}`, entropy: 3},
		{id: "heroku-key", what: "Heroku API key", keys: []string{"hrku-"}, pattern: `HRKU-(?:AA[0-9A-Za-z_-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`, entropy: 3},
		{id: "fly-token", what: "Fly.io token", keys: []string{"fo1_", "fm1_", "fm2_"}, pattern: `(?:fo1_[\w-]{43}|fm[12]_[A-Za-z0-9+/]{100,}={0,2})`, entropy: 3},
		{id: "cloudflare-origin-key", what: "Cloudflare origin CA key", keys: []string{"v1.0-"}, pattern: `v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`, entropy: 3},
		{id: "netlify-token", what: "Netlify token", keys: []string{"nfp_", "nfo_", "nfb_"}, pattern: `nf[pob]_[A-Za-z0-9]{36,}`, entropy: 3},
		{id: "hashicorp-vault-token", what: "HashiCorp Vault token", keys: []string{"hvs.", "hvb.", "hvr."}, pattern: `hv[sbr]\.[A-Za-z0-9_-]{24,300}`, entropy: 3},
		{id: "terraform-cloud-token", what: "Terraform Cloud token", keys: []string{".atlasv1."}, inside: true, pattern: `\.atlasv1\.[A-Za-z0-9_=-]{60,70}`, entropy: 3.5},
		{id: "pulumi-token", what: "Pulumi token", keys: []string{"pul-"}, pattern: `pul-[a-f0-9]{40}`, entropy: 2.5},
		{id: "databricks-token", what: "Databricks token", keys: []string{"dapi"}, pattern: `dapi[a-f0-9]{32}(?:-\d)?`, entropy: 3},
		{id: "openshift-token", what: "OpenShift token", keys: []string{"sha256~"}, pattern: `sha256~[\w-]{43}`, entropy: 3.5},
		{id: "age-secret-key", what: "age secret key", keys: []string{"age-secret-key-1"}, pattern: `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`, entropy: 3},
		{id: "planetscale-token", what: "PlanetScale credential", keys: []string{"pscale_"}, pattern: `pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}`, entropy: 3},
		{id: "supabase-token", what: "Supabase token", keys: []string{"sbp_", "sb_secret_"}, pattern: `(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{31,})`, entropy: 3},
	}
}

func forgeRules() []rule {
	return []rule{
		{id: "github-token", what: "GitHub token", keys: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, pattern: `gh[pousr]_[0-9A-Za-z]{36,255}`, entropy: 3},
		{id: "github-fine-grained-token", what: "GitHub fine-grained token", keys: []string{"github_pat_"}, pattern: `github_pat_[0-9A-Za-z_]{36,255}`, entropy: 3},
		{id: "gitlab-token", what: "GitLab token", keys: []string{"glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glimt-", "glagent-", "gloas-"},
			pattern: `gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|oas)-[0-9A-Za-z_.=-]{20,300}`, entropy: 3},
		{id: "gitlab-runner-token", what: "GitLab runner registration token", keys: []string{"gr1348941"}, pattern: `GR1348941[\w-]{20}`, entropy: 3},
		{id: "bitbucket-app-password", what: "Bitbucket app password", keys: []string{"atbb"}, pattern: `ATBB[A-Za-z0-9]{32}`, entropy: 3},
		{id: "bitbucket-server-token", what: "Bitbucket HTTP access token", keys: []string{"bbdc-"}, pattern: `BBDC-[A-Za-z0-9+/@_-]{40,50}`, entropy: 3},
		{id: "atlassian-token", what: "Atlassian API token", keys: []string{"atatt3", "atctt3"}, pattern: `AT[AC]TT3[A-Za-z0-9_=-]{60,300}`, entropy: 3.5},
		{id: "npm-token", what: "npm token", keys: []string{"npm_"}, pattern: `npm_[A-Za-z0-9]{36}`, entropy: 3},
		{id: "npm-auth", what: "npm registry credential", keys: []string{"_authtoken", "_password", "_auth"}, inside: true, pattern: `_(?:authToken|auth|password)\s{0,4}=\s{0,4}"?([A-Za-z0-9+/=_.-]{16,})`, entropy: 3},
		{id: "pypi-token", what: "PyPI token", keys: []string{"pypi-ageichlwas5vcmc", "pypi-agendgvzdc5wexbpl"}, pattern: `pypi-Ag[\w-]{50,}`, entropy: 3.5},
		{id: "rubygems-token", what: "RubyGems key", keys: []string{"rubygems_"}, pattern: `rubygems_[a-f0-9]{48}`, entropy: 3},
		{id: "crates-token", what: "crates.io token", keys: []string{"cio"}, pattern: `cio[A-Za-z0-9]{32}`, entropy: 3.5},
		{id: "nuget-key", what: "NuGet key", keys: []string{"oy2"}, pattern: `oy2[a-z0-9]{43}`, entropy: 3.5},
		{id: "docker-token", what: "Docker Hub token", keys: []string{"dckr_pat_", "dckr_oat_"}, pattern: `dckr_[po]at_[\w-]{27,}`, entropy: 3},
		{id: "buildkite-token", what: "Buildkite token", keys: []string{"bkua_", "bkaj_"}, pattern: `bk(?:ua|aj)_[a-f0-9]{40}`, entropy: 3},
		{id: "circleci-token", what: "CircleCI token", keys: []string{"ccipat_"}, pattern: `CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}`, entropy: 3},
	}
}

func chatRules() []rule {
	return []rule{
		{id: "slack-token", what: "Slack token", keys: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe", "xapp-"},
			pattern: `(?:xox[bparso]-[0-9A-Za-z-]{10,250}|xoxe(?:\.xox[bp])?-\d-[0-9A-Za-z-]{40,250}|xapp-\d-[A-Z0-9]+-\d+-[0-9a-z]{30,})`, entropy: 2.8},
		{id: "slack-webhook", what: "Slack webhook", keys: []string{"hooks.slack.com/"}, pattern: `hooks\.slack\.com/(?:services/T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{20,}|workflows/[A-Za-z0-9+/]{40,})`, entropy: 3},
		{id: "discord-webhook", what: "Discord webhook", keys: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, pattern: `discord(?:app)?\.com/api/webhooks/\d{16,20}/[\w-]{60,80}`, entropy: 3.5},
		{id: "discord-token", what: "Discord bot token", keys: []string{"discord"}, inside: true, pattern: `(?i:discord)[^"'\n]{0,40}["'=: ]\s{0,4}["']?([MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40})`, entropy: 3.5},
		{id: "telegram-token", what: "Telegram bot token", keys: []string{":aa"}, inside: true, pattern: `:AA[A-Za-z0-9_-]{33}(?:$|[^A-Za-z0-9_-])`, entropy: 3.5},
		{id: "teams-webhook", what: "Microsoft Teams webhook", keys: []string{"webhook.office.com/webhookb2/"}, inside: true, pattern: `webhook\.office\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}`, entropy: 3},
		{id: "mattermost-webhook", what: "chat webhook", keys: []string{"chat.googleapis.com/v1/spaces/"}, pattern: `chat\.googleapis\.com/v1/spaces/[\w-]+/messages\?key=[\w-]{39}&token=[\w%-]{40,}`, entropy: 3.5},
	}
}

func paymentRules() []rule {
	return []rule{
		{id: "stripe-key", what: "Stripe secret key", keys: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"}, pattern: `[sr]k_(?:live|test|prod)_[0-9A-Za-z]{10,120}`, entropy: 3},
		{id: "stripe-webhook-secret", what: "Stripe webhook secret", keys: []string{"whsec_"}, pattern: `whsec_[A-Za-z0-9+/]{32,}={0,2}`, entropy: 3},
		{id: "square-token", what: "Square token", keys: []string{"sq0atp-", "sq0csp-"}, pattern: `(?:sq0atp-[\w-]{22}|sq0csp-[\w-]{43})`, entropy: 3},
		{id: "paypal-braintree-token", what: "Braintree access token", keys: []string{"access_token$"}, pattern: `access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`, entropy: 3},
		{id: "shopify-token", what: "Shopify token", keys: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, pattern: `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, entropy: 3},
		{id: "razorpay-key", what: "Razorpay key", keys: []string{"rzp_live_"}, pattern: `rzp_live_[A-Za-z0-9]{14,}`, entropy: 3},
		{id: "plaid-token", what: "Plaid access token", keys: []string{"access-production-", "access-development-", "access-sandbox-"}, pattern: `access-(?:production|development|sandbox)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`, entropy: 3},
		{id: "flutterwave-key", what: "Flutterwave key", keys: []string{"flwseck-", "flwseck_"}, pattern: `FLWSECK[-_](?:TEST-)?[a-zA-Z0-9]{12,}-X?`, entropy: 2.5},
	}
}

func serviceRules() []rule {
	return []rule{
		{id: "anthropic-key", what: "Anthropic API key", keys: []string{"sk-ant-"}, pattern: `sk-ant-[a-z0-9]+-[\w-]{30,}`, entropy: 3},
		{id: "openai-key", what: "OpenAI API key", keys: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"}, pattern: `sk-(?:(?:proj|svcacct|admin)-[\w-]{40,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{48})`, entropy: 3.5},
		{id: "huggingface-token", what: "Hugging Face token", keys: []string{"hf_", "api_org_"}, pattern: `(?:hf_|api_org_)[A-Za-z]{34}`, entropy: 3},
		{id: "perplexity-key", what: "Perplexity key", keys: []string{"pplx-"}, pattern: `pplx-[A-Za-z0-9]{48}`, entropy: 3.5},
		{id: "sendgrid-key", what: "SendGrid key", keys: []string{"sg."}, pattern: `SG\.[\w-]{20,24}\.[\w-]{39,50}`, entropy: 3.5},
		{id: "brevo-key", what: "Brevo key", keys: []string{"xkeysib-"}, pattern: `xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}`, entropy: 3},
		{id: "mailgun-key", what: "Mailgun key", keys: []string{"key-"}, pattern: `key-[a-f0-9]{32}`, entropy: 3},
		{id: "new-relic-key", what: "New Relic key", keys: []string{"nrak-", "nrii-"}, pattern: `NR(?:AK-[A-Z0-9]{27}|II-[\w-]{32})`, entropy: 3},
		{id: "grafana-token", what: "Grafana token", keys: []string{"glsa_", "glc_"}, pattern: `(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})`, entropy: 3},
		{id: "sentry-token", what: "Sentry token", keys: []string{"sntrys_", "sntryu_"}, pattern: `(?:sntryu_[a-f0-9]{64}|sntrys_[A-Za-z0-9+/=_-]{60,})`, entropy: 3},
		{id: "linear-key", what: "Linear key", keys: []string{"lin_api_"}, pattern: `lin_api_[A-Za-z0-9]{40}`, entropy: 3},
		{id: "notion-token", what: "Notion token", keys: []string{"ntn_", "secret_"}, pattern: `(?:ntn_[A-Za-z0-9]{46}|secret_[A-Za-z0-9]{43})`, entropy: 3.5},
		{id: "airtable-token", what: "Airtable token", keys: []string{"pat"}, pattern: `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`, entropy: 3},
		{id: "postman-key", what: "Postman key", keys: []string{"pmak-"}, pattern: `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, entropy: 3},
		{id: "figma-token", what: "Figma token", keys: []string{"figd_"}, pattern: `figd_[\w-]{40,}`, entropy: 3},
		{id: "doppler-token", what: "Doppler token", keys: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa."}, pattern: `dp\.(?:pt|ct|sa|st(?:\.[\w-]+)?)\.[A-Za-z0-9]{40,44}`, entropy: 3},
		{id: "dynatrace-token", what: "Dynatrace token", keys: []string{"dt0c01."}, pattern: `dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}`, entropy: 3},
		{id: "1password-token", what: "1Password service account token", keys: []string{"ops_ey"}, pattern: `ops_eyJ[A-Za-z0-9+/]{100,}={0,3}`, entropy: 3.5},
		{id: "posthog-key", what: "PostHog personal key", keys: []string{"phx_"}, pattern: `phx_[A-Za-z0-9_]{43,}`, entropy: 3},
		{id: "typeform-token", what: "Typeform token", keys: []string{"tfp_"}, pattern: `tfp_[\w.=-]{59}`, entropy: 3},
		{id: "jwt", what: "JSON web token", keys: []string{"eyj"}, pattern: `eyJ[A-Za-z0-9_-]{14,}\.eyJ[A-Za-z0-9_-]{14,}\.[A-Za-z0-9_-]{20,}`, entropy: 3.5},
	}
}

// contextRules need a name beside the value: the value alone has no shape of its own.
func contextRules() []rule {
	const assigned = `[^"'=:\n]{0,40}["']?\s{0,8}(?::=|=>|[=:])\s{0,8}["']?`
	return []rule{
		{id: "twilio-key", what: "Twilio secret", keys: []string{"twilio"}, inside: true, pattern: `(?i:twilio` + assigned + `)((?:SK)?[0-9a-f]{32})(?:$|[^0-9a-zA-Z])`, entropy: 3},
		{id: "mailchimp-key", what: "Mailchimp key", keys: []string{"mailchimp"}, inside: true, pattern: `(?i:mailchimp` + assigned + `)([0-9a-f]{32}-us\d{1,2})`, entropy: 3},
		{id: "datadog-key", what: "Datadog key", keys: []string{"datadog", "dd_api_key", "dd_app_key"}, inside: true, pattern: `(?i:(?:datadog|dd_a)` + assigned + `)([0-9a-f]{40}|[0-9a-f]{32})(?:$|[^0-9a-zA-Z])`, entropy: 3},
		{id: "cloudflare-key", what: "Cloudflare token", keys: []string{"cloudflare"}, inside: true, pattern: `(?i:cloudflare` + assigned + `)([0-9a-f]{37}|[A-Za-z0-9_-]{40})(?:$|[^0-9a-zA-Z_-])`, entropy: 3.3},
		{id: "azure-client-secret", what: "Azure client secret", keys: []string{"q~"}, inside: true, pattern: `Q~([a-zA-Z0-9_~.-]{31,34})(?:$|[^a-zA-Z0-9_~.-])`, entropy: 3.5},
		{id: "authorization-header", what: "Authorization header", keys: []string{"authorization"}, inside: true, pattern: `(?i:authorization["']?\s{0,4}[:=,]\s{0,4}["']?(?:basic|bearer|token)\s+)([A-Za-z0-9+/=_.~-]{16,})`, entropy: 3.2},
		{id: "curl-user", what: "user and password of a curl call", keys: []string{"curl"}, pattern: `curl(?:\s[^|;&\n]{0,200}?)?\s(?:-u|--user)[ =]?["']?[\w.@-]+:([^\s"':$]{8,})`, entropy: 3, human: true},
	}
}
