package secrets

// modelRules are keys of services that run models, and of what is built around them.
func modelRules() []rule {
	return []rule{
		{id: "groq-key", what: "Groq key", keys: []string{"gsk_"}, pattern: `gsk_[A-Za-z0-9]{50,56}`, entropy: 3.5},
		{id: "xai-key", what: "xAI key", keys: []string{"xai-"}, pattern: `xai-[A-Za-z0-9]{70,90}`, entropy: 3.5},
		{id: "replicate-token", what: "Replicate token", keys: []string{"r8_"}, pattern: `r8_[A-Za-z0-9]{37,40}`, entropy: 3.5},
		{id: "openrouter-key", what: "OpenRouter key", keys: []string{"sk-or-v1-"}, pattern: `sk-or-v1-[0-9a-f]{64}`, entropy: 3},
		{id: "elevenlabs-key", what: "ElevenLabs key", keys: []string{"sk_"}, pattern: `sk_[0-9a-f]{48}`, entropy: 3},
		{id: "tavily-key", what: "Tavily key", keys: []string{"tvly-"}, pattern: `tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,40}`, entropy: 3.5},
		{id: "langsmith-key", what: "LangSmith key", keys: []string{"lsv2_"}, pattern: `lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`, entropy: 3},
		{id: "pinecone-key", what: "Pinecone key", keys: []string{"pcsk_"}, pattern: `pcsk_[A-Za-z0-9_]{60,80}`, entropy: 3.5},
		{id: "nvidia-key", what: "NVIDIA key", keys: []string{"nvapi-"}, pattern: `nvapi-[\w-]{60,70}`, entropy: 3.5},
		{id: "cursor-key", what: "Cursor key", keys: []string{"key_"}, pattern: `key_[0-9a-f]{64}`, entropy: 3},
		{id: "deepseek-key", what: "key of a model service", keys: []string{"sk-"}, pattern: `sk-[0-9a-f]{32}`, entropy: 3.3},
		{id: "kaggle-key", what: "Kaggle key", keys: []string{`"username"`}, inside: true, pattern: `"username"\s*:\s*"[^"]{1,60}"\s*,\s*"key"\s*:\s*"([0-9a-f]{32})"`, entropy: 3},
	}
}

// buildRules are tokens of registries, builds, hosting and networks.
func buildRules() []rule {
	return []rule{
		{id: "gitlab-feature-flags-token", what: "GitLab token", keys: []string{"glffct-", "glwt-"}, pattern: `gl(?:ffct|wt)-[\w-]{20,}`, entropy: 3},
		{id: "clojars-token", what: "Clojars token", keys: []string{"clojars_"}, pattern: `CLOJARS_[a-z0-9]{60}`, entropy: 3},
		{id: "sonarqube-token", what: "SonarQube token", keys: []string{"sqp_", "squ_", "sqa_"}, pattern: `sq[pua]_[0-9a-f]{40}`, entropy: 3},
		{id: "artifactory-key", what: "Artifactory key", keys: []string{"akcp", "cmvmdgtu"}, pattern: `(?:AKCp[A-Za-z0-9]{69}|cmVmdGtu[A-Za-z0-9]{56})`, entropy: 3.5},
		{id: "jfrog-header", what: "Artifactory key", keys: []string{"x-jfrog-art-api"}, pattern: `(?i:x-jfrog-art-api)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9]{40,})`, entropy: 3.5},
		{id: "tailscale-key", what: "Tailscale key", keys: []string{"tskey-"}, pattern: `tskey-[a-z]+-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}`, entropy: 3},
		{id: "infracost-token", what: "Infracost token", keys: []string{"ico-"}, pattern: `ico-[A-Za-z0-9]{32}`, entropy: 3.5},
		{id: "neon-key", what: "Neon key", keys: []string{"napi_"}, pattern: `napi_[a-z0-9]{60,70}`, entropy: 3.5},
		{id: "prefect-token", what: "Prefect token", keys: []string{"pnu_", "pnb_"}, pattern: `pn[ub]_[A-Za-z0-9]{36}`, entropy: 3},
		{id: "dbt-token", what: "dbt token", keys: []string{"dbtc_", "dbtu_"}, pattern: `dbt[cu]_[A-Za-z0-9_-]{38,}`, entropy: 3},
		{id: "readme-key", what: "ReadMe key", keys: []string{"rdme_"}, pattern: `rdme_[a-z0-9]{70}`, entropy: 3},
		{id: "scalingo-token", what: "Scalingo token", keys: []string{"tk-us-"}, pattern: `tk-us-[\w-]{48}`, entropy: 3},
		{id: "octopus-key", what: "Octopus Deploy key", keys: []string{"api-"}, pattern: `API-[A-Z0-9]{26}`, entropy: 3.3},
		{id: "harness-token", what: "Harness token", keys: []string{"pat.", "sat."}, pattern: `[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`, entropy: 3},
		{id: "sourcegraph-token", what: "Sourcegraph token", keys: []string{"sgp_"}, pattern: `sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}`, entropy: 3},
		{id: "defined-networking-token", what: "Defined Networking token", keys: []string{"dnkey-"}, pattern: `dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}`, entropy: 3.5},
		{id: "yandex-key", what: "Yandex key", keys: []string{"aqvn"}, pattern: `AQVN[\w-]{35,38}`, entropy: 3.5},
		{id: "launchdarkly-key", what: "LaunchDarkly key", keys: []string{"sdk-", "api-"}, pattern: `(?:sdk|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`, entropy: 3},
		{id: "contentful-token", what: "Contentful token", keys: []string{"cfpat-"}, pattern: `CFPAT-[\w-]{43}`, entropy: 3},
		{id: "adafruit-key", what: "Adafruit key", keys: []string{"aio_"}, pattern: `aio_[A-Za-z0-9]{28}`, entropy: 3.3},
		{id: "resend-key", what: "Resend key", keys: []string{"re_"}, pattern: `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}`, entropy: 3.5},
	}
}

// peopleRules are tokens of social networks, maps, shops and studios.
func peopleRules() []rule {
	return []rule{
		{id: "facebook-token", what: "Facebook token", keys: []string{"eaa"}, pattern: `EAA[A-Za-z]{1,4}[A-Za-z0-9]{90,250}`, entropy: 3.5},
		{id: "twitter-bearer", what: "bearer token of X", keys: []string{"aaaaaaaaaaaaaaaaaaaa"}, pattern: `A{20,24}[A-Za-z0-9%]{70,100}`, entropy: 3.5},
		{id: "dropbox-token", what: "Dropbox token", keys: []string{"sl."}, pattern: `sl\.(?:u\.)?[A-Za-z0-9_-]{130,}`, entropy: 3.5},
		{id: "firebase-key", what: "Firebase messaging key", keys: []string{":apa91b"}, inside: true, pattern: `:APA91b[\w-]{120,150}`, entropy: 3.5},
		{id: "mapbox-token", what: "Mapbox secret token", keys: []string{"sk.ey"}, pattern: `sk\.eyJ[A-Za-z0-9]{50,120}\.[\w-]{20,24}`, entropy: 3.5},
		{id: "easypost-key", what: "EasyPost key", keys: []string{"ezak", "eztk"}, pattern: `EZ[AT]K[A-Za-z0-9]{54}`, entropy: 3.5},
		{id: "shippo-token", what: "Shippo token", keys: []string{"shippo_live_", "shippo_test_"}, pattern: `shippo_(?:live|test)_[0-9a-f]{40}`, entropy: 3},
		{id: "duffel-token", what: "Duffel token", keys: []string{"duffel_"}, pattern: `duffel_(?:live|test)_[\w=-]{43}`, entropy: 3.5},
		{id: "lob-key", what: "Lob key", keys: []string{"live_"}, pattern: `live_[0-9a-f]{35}`, entropy: 3},
		{id: "frameio-token", what: "Frame.io token", keys: []string{"fio-u-"}, pattern: `fio-u-[\w=-]{64}`, entropy: 3.5},
		{id: "intra42-secret", what: "42 client secret", keys: []string{"s-s4t2"}, pattern: `s-s4t2(?:ud|af)-[0-9a-f]{64}`, entropy: 3},
	}
}

// placeRules know a credential by where it stands: an option, a header, a statement, a file of its own.
func placeRules() []rule {
	const uuid = `[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`
	return []rule{
		{id: "private-key-base64", what: "private key in base64", keys: []string{"ls0tls1crudjtib"}, inside: true, entropy: 3,
			pattern: `(LS0tLS1CRUdJTiB(?:SU0EgUFJJVkFURSBLRVk|QUklWQVRFIEtFWS|FQyBQUklWQVRFIEtFWS|PUEVOU1NIIFBSSVZBVEUgS0VZ|QR1AgUFJJVkFURSBLRVkg|FTkNSWVBURUQgUFJJVkFURSBLRVk)[A-Za-z0-9+/=]{40})`},
		{id: "putty-key", what: "private key of PuTTY", keys: []string{"putty-user-key-file-"}, pattern: `PuTTY-User-Key-File-\d: [\w@.-]{4,40}`, entropy: 2},
		{id: "ssh2-key", what: "private key", keys: []string{"---- begin ssh2 "}, inside: true, pattern: `---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----`, entropy: 2},
		{id: "vendor-uuid-key", what: "key of Heroku or Snyk", keys: []string{"heroku", "snyk"}, inside: true, pattern: `(?i:(?:heroku|snyk)[\w-]{0,20}(?:key|token|secret)["']?\s{0,4}[:=]\s{0,4}["']?)(` + uuid + `)`, entropy: 3},
		{id: "azure-devops-token", what: "Azure DevOps token", keys: []string{"_pat", "azdo", "devops"}, inside: true,
			pattern: `(?i:[\w-]{0,30}["']?\s{0,4}[:=]\s{0,4}["']?)([a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?:$|[^A-Za-z0-9])`, entropy: 3.5},
		{id: "docker-auth", what: "user and password of a registry", keys: []string{`"auth"`}, inside: true, pattern: `"auth"\s*:\s*"([A-Za-z0-9+/]{16,}={0,2})"`, entropy: 3.2, pair: true},
		{id: "netrc-password", what: "password of a .netrc file", keys: []string{"login "}, pattern: `login\s+\S+\s+password\s+([^\s"'$<>{}]{8,})`, entropy: 2.5, human: true},
		{id: "pgpass-password", what: "password of a .pgpass file", keys: []string{":5432:", ":3306:"}, inside: true, pattern: `:(?:5432|3306):[\w*-]+:[\w.@-]+:([^\s:$"']{8,64})$`, entropy: 2.5, human: true},
		{id: "sql-password", what: "password in a statement", keys: []string{"password '", "identified by '", "by password '"}, pattern: `(?i:password|identified by(?: password)?) '([^'$]{8,80})'`, entropy: 2.5, human: true},
		{id: "secure-string", what: "password in a PowerShell call", keys: []string{"convertto-securestring"}, pattern: `(?i:convertto-securestring)\s+(?:(?i:-string|-force|-asplaintext)\s+){0,3}["']([^"'$]{8,})["']`, entropy: 2.5, human: true},
		{id: "api-key-header", what: "key in a header", keys: []string{"x-api-key", "x-auth-token", "x-vault-token", "private-token", "x-access-token"}, pattern: `(?i:x-api-key|x-auth-token|x-vault-token|private-token|x-access-token)["']?\s{0,4}[:,]\s{0,4}["']?([A-Za-z0-9_.=+/-]{20,})`, entropy: 3.5, human: true},
	}
}
