package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/sumdb/note"

	"github.com/assay-register/assay/render/translog"
)

// keyFile is the file of the signing key where none is named.
const keyFile = "assay.key"

func (a *app) key() *cobra.Command {
	cmd := &cobra.Command{Use: "key", GroupID: groupKeep, Short: "The key that signs the log of verdicts", Args: noSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(a.createKey(), a.showKey(), a.rotateKey())
	return cmd
}

func (a *app) createKey() *cobra.Command {
	return &cobra.Command{
		Use: "create [FILE]", Short: "Make a key (Ed25519) in a file that only you can read", Args: cobra.MaximumNArgs(1),
		Annotations: kept("no key was made"),
		Example:     "  assay key create /etc/assay/assay.key --base-url https://register.example",
		Long: "The key has the name of the log: the host and path of --base-url, and /log. Keep a copy where the register's\n" +
			"backups are not: whoever has it can sign in the register's name, and without it the log cannot go on.",
		RunE: func(cmd *cobra.Command, args []string) error {
			private, err := a.newKey()
			if err != nil {
				return err
			}
			return a.writeKey(cmd, fileOr(args), private+"\n", os.O_EXCL)
		},
	}
}

func fileOr(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return keyFile
}

// logName is the origin of the log: the public address of the site without its scheme
// (C2SP tlog-checkpoint).
func (a *app) logName() (string, error) {
	u, err := url.Parse(a.site.BaseURL)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("--base-url %s: the key is named after it: write an address such as https://register.example", a.site.BaseURL)
	}
	return strings.TrimSuffix(u.Host+u.Path, "/") + "/" + translog.Dir, nil
}

func (a *app) newKey() (string, error) {
	name, err := a.logName()
	if err != nil {
		return "", err
	}
	return translog.NewKey(rand.Reader, name)
}

// writeKey writes a file of keys whole or not at all, and tells the public one.
func (a *app) writeKey(cmd *cobra.Command, path, text string, how int) error {
	if how&os.O_EXCL != 0 {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there: assay key rotate adds a key to it", path)
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".assay-key-") // 0600
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	a.say("%s holds the key; set signing_key to it", path)
	return printKeys(cmd, text, false)
}

func (a *app) showKey() *cobra.Command {
	var dns bool
	cmd := &cobra.Command{
		Use: "show [FILE]", Short: "Print the public keys of a file", Args: cobra.MaximumNArgs(1),
		Annotations: kept("nothing was changed"),
		Example:     "  assay key show assay.key --dns",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(fileOr(args))
			if err != nil {
				return err
			}
			return printKeys(cmd, string(text), dns)
		},
	}
	cmd.Flags().BoolVar(&dns, "dns", false, "as a TXT record, for those who publish the key in DNS, too")
	return cmd
}

func printKeys(cmd *cobra.Command, text string, dns bool) error {
	keys, err := translog.ParseKeys(text)
	if err != nil {
		return err
	}
	for _, k := range keys {
		line := k.Public
		if dns {
			line = translog.DNS(k.Public)
		}
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) rotateKey() *cobra.Command {
	var retire bool
	cmd := &cobra.Command{
		Use: "rotate [FILE]", Short: "Add a new key, which the present one proves; --retire takes the older ones out", Args: cobra.MaximumNArgs(1),
		Annotations: kept("the file is as it was"),
		Example: `  assay key rotate assay.key             # both sign from the next build on, and the log names the new one
  assay key rotate assay.key --retire    # later, when readers have had time to learn it`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(fileOr(args))
			if err != nil {
				return err
			}
			keys, err := translog.ParseKeys(string(text))
			if err != nil {
				return err
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			if retire && len(keys) == 1 {
				return fmt.Errorf("%s has one key: there is none to retire; assay key rotate adds the one that follows it", fileOr(args))
			}
			if retire {
				if err := a.named(fileOr(args), keys[len(keys)-1]); err != nil {
					return err
				}
				return a.writeKey(cmd, fileOr(args), lines[len(lines)-1]+"\n", 0)
			}
			private, err := translog.NewKey(rand.Reader, keys[0].Name())
			if err != nil {
				return err
			}
			return a.writeKey(cmd, fileOr(args), strings.Join(append(lines, private), "\n")+"\n", 0)
		},
	}
	cmd.Flags().BoolVar(&retire, "retire", false, "leave only the newest key; the log must have named it in a build before")
	return cmd
}

// named tells that the log names the newest key of a file, by the checkpoint that the keys signed last: a new
// key signs only once a leaf names it, and without the key before it none ever would.
func (a *app) named(file string, newest translog.Key) error {
	memory := file + ".signed"
	if a.signingMemory != "" {
		memory = a.signingMemory
	}
	signed, err := os.ReadFile(memory)
	if errors.Is(err, fs.ErrNotExist) {
		a.log.Warn("nothing remembers what these keys signed, so that it is not known whether the log names the newest one: keep the older ones until /log/keys.json does", "file", memory)
		return nil
	}
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(newest.Public)
	if err != nil {
		return err
	}
	if _, err := note.Open(signed, note.VerifierList(verifier)); err != nil {
		return fmt.Errorf("the log does not name the new key yet, and without the key before it it never would: assay build with both first (%s: %w)", memory, err)
	}
	return nil
}

// signing reads the key of --signing-key, which is the name of a file or the key itself;
// none where it is not set.
func (a *app) signing() ([]translog.Key, error) {
	if a.signingKey == "" {
		return nil, nil
	}
	text := a.signingKey
	if !strings.HasPrefix(strings.TrimSpace(text), translog.PrivatePrefix) {
		b, err := a.readKey(text)
		if err != nil {
			return nil, err
		}
		text = b
	}
	keys, err := translog.ParseKeys(text)
	if err != nil && text != a.signingKey {
		return nil, fmt.Errorf("--signing-key: %s: %w", a.signingKey, err)
	}
	if err != nil {
		return nil, fmt.Errorf("--signing-key: %w", err)
	}
	return keys, nil
}

// keyMax bounds a file of keys, in bytes: some hundreds of them.
const keyMax = 64 << 10

// readKey reads a file of keys that nobody but its owner can change. One that others can read is
// told, since secrets that a container gets often are.
func (a *app) readKey(path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("--signing-key: %w; assay key create makes one", err)
	}
	defer in.Close()
	about, err := in.Stat()
	if err != nil {
		return "", fmt.Errorf("--signing-key: %w", err)
	}
	if !about.Mode().IsRegular() {
		return "", fmt.Errorf("--signing-key: %s is no file", path)
	}
	if mode := about.Mode().Perm(); mode&0o022 != 0 {
		return "", fmt.Errorf("--signing-key: others than its owner can change %s (mode %04o), and so sign with a key of theirs: chmod 600 %s", path, mode, path)
	} else if mode&0o044 != 0 {
		a.log.Warn("others than its owner can read the key that signs the log, and so sign in the register's name: chmod 600", "file", path, "mode", fmt.Sprintf("%04o", mode))
	}
	b, err := io.ReadAll(io.LimitReader(in, keyMax+1))
	if err != nil {
		return "", fmt.Errorf("--signing-key: %w", err)
	}
	if len(b) > keyMax {
		return "", fmt.Errorf("--signing-key: %s has more than %d bytes, it is no file of keys", path, keyMax)
	}
	return string(b), nil
}

// keyText is what --log-key says: public keys, one a line, or the name of a file that has them.
func keyText(given string) (string, error) {
	if given == "" || strings.ContainsAny(given, "+\n") {
		if _, err := os.Stat(given); err != nil {
			return given, nil
		}
	}
	b, err := os.ReadFile(given)
	if err != nil {
		return "", fmt.Errorf("--log-key: %w; name a public key (assay key show) or a file with such keys", err)
	}
	return string(b), nil
}

// logKeys are the public keys of --log-key, none where it is not set.
func logKeys(given string) ([]note.Verifier, error) {
	text, err := keyText(given)
	if err != nil {
		return nil, err
	}
	keys, err := translog.Verifiers(text)
	if err != nil {
		return nil, fmt.Errorf("--log-key: %w", err)
	}
	if given != "" && len(keys) == 0 {
		return nil, fmt.Errorf("--log-key: %s names no key", given)
	}
	return keys, nil
}
