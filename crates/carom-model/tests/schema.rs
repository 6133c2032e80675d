//! The schema, which the reference page is made of, and the reader know the same keys.

use carom_model::Model;
use carom_model::laws::LAWS;
use carom_model::schema::{Form, SECTIONS, SHAPES};

fn is_known(text: &str) -> bool {
    let found = match Model::from_text(text, "model.toml", &[]) {
        Ok(_) => return true,
        Err(found) => found,
    };
    !found.0.iter().any(|diagnostic| matches!(diagnostic.code, "unknown-key" | "syntax"))
}

#[test]
fn reader_knows_every_key_of_the_schema() {
    for section in &SECTIONS {
        for key in section.keys {
            let (section, key) = (section.name, key.name);
            let text = match SECTIONS.iter().find(|known| known.name == section).unwrap().form {
                Form::Value => format!("{section} = 1\n"),
                Form::Table => format!("[{section}]\n{key} = 1\n"),
                Form::Names => format!("[{section}.a]\n{key} = 1\n"),
                Form::List => format!("[[{section}]]\n{key} = 1\n"),
            };
            assert!(is_known(&text), "[{section}] {key}");
        }
    }
}

#[test]
fn reader_knows_every_shape() {
    for shape in &SHAPES {
        for key in shape.keys {
            let text = format!("[[draw]]\ntype = \"{}\"\n{} = 1\n", shape.name, key.name);
            assert!(is_known(&text), "{text}");
        }
    }
}

#[test]
fn reader_knows_the_keys_of_every_law_and_no_others() {
    let keys: Vec<&str> = LAWS.iter().flat_map(|law| law.keys).map(|key| key.name).collect();
    for law in &LAWS {
        for key in &keys {
            let text = format!("[contacts.a]\nlaw = \"{}\"\n{key} = 1\n", law.name);
            assert_eq!(is_known(&text), law.keys.iter().any(|own| own.name == *key), "{text}");
        }
    }
}

#[test]
fn examples_of_the_schema_are_read() {
    for section in &SECTIONS {
        assert!(is_known(section.example), "{}", section.example);
    }
    assert!(!is_known("[simulation]\nspeed = 1\n"));
}
