//! Damaged URDF files are imported or rejected, but never crash or hang; what is imported can be read.
//!
//! `CAROM_MUTATIONS=100000 cargo test --release -p carom-model --test all urdf_mutations` tries more of them.

use crate::damage;

use carom_model::Model;
use carom_model::urdf::{Base, ImportOptions, import};
use damage::{Random, mutate};
use std::time::{Duration, Instant};

/// No file of this size may take longer.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Pieces of text that this format may stumble over, besides those of all.
const NASTY: [&str; 24] = [
    "<",
    ">",
    "/>",
    "</",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml version=\"1.0\"?>",
    "<!DOCTYPE robot [<!ENTITY a \"a\">]>",
    "&a;",
    "&#10;",
    "&#0;",
    "&quot;",
    "xmlns:a=\"b\" ",
    "xmlns=\"b\" ",
    "<link name=\"bar\"/>",
    "<joint name=\"slide\" type=\"floating\">",
    "<mimic joint=\"grip\" multiplier=\"-1\" offset=\"1\"/>",
    "<mimic joint=\"left elbow\" offset=\"1e308\"/>",
    "<limit lower=\"1\" upper=\"2\" effort=\"1\"/>",
    "<origin rpy=\"1 2 3\"/>",
    "<axis xyz=\"0 0 0\"/>",
    "<axis xyz=\"1 2 3\"/>",
];

/// What stands in the place of numbers.
const NUMBERS: [&str; 14] =
    ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "", " ", "0", "-1", "1 2", "1 2 3", "1 2 3 4", "0x10"];

/// Every kind of joint.
const JOINTS: &str = r#"<robot name="joints"><link name="a"/>
<link name="b"><inertial><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><mass value="2"/><inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2"/></inertial></link>
<link name="c"><inertial><mass value="2"/><inertia ixx="1" iyy="2" izz="2"/></inertial></link>
<link name="d"><inertial><mass value="2"/><inertia ixx="1" iyy="2" izz="2"/></inertial></link>
<link name="e"><inertial><mass value="2"/><inertia ixx="1" iyy="2" izz="2"/></inertial></link>
<joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 0.6 0.8"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 0 1"/><dynamics damping="0.1" friction="0.2"/></joint>
<joint name="l" type="prismatic"><parent link="b"/><child link="d"/><axis xyz="0 0 1"/><limit lower="1" upper="2" effort="3" velocity="4"/></joint>
<joint name="m" type="prismatic"><parent link="b"/><child link="e"/><axis xyz="0 1 0"/><mimic joint="l" multiplier="-2" offset="0.5"/></joint>
</robot>"#;

/// Every kind of visual, and what is left out.
const VISUALS: &str = r#"<robot name="visuals"><material name="red"><color rgba="1 0 0 1"/></material>
<link name="a"><visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
<visual><origin xyz="0 1 0" rpy="1 0 0"/><geometry><cylinder radius="1" length="2"/></geometry></visual>
<visual><geometry><sphere radius="1"/></geometry></visual></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><geometry><mesh filename="package://b.stl"/></geometry></visual><collision/></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 1 0"/><safety_controller/></joint>
<gazebo reference="a"><material>Gazebo/Red</material></gazebo><transmission name="t"/></robot>"#;

/// Damages of this format: tags, numbers, nesting; else those of all formats.
fn damaged(text: &str, random: &mut Random) -> String {
    match random.below(8) {
        0 => {
            let mut tags: Vec<&str> = text.split_inclusive('>').collect();
            let (first, second) = (random.below(tags.len()), random.below(tags.len()));
            match random.below(3) {
                0 => tags.swap(first, second),
                1 => tags.insert(second, tags[first]),
                _ => drop(tags.remove(first)),
            }
            tags.concat()
        }
        1 | 2 => {
            let mut values: Vec<&str> = text.split('"').collect();
            for _ in 0..=random.below(3) {
                // Every second piece is a value.
                let at = (2 * random.below(values.len() / 2) + 1).min(values.len() - 1);
                values[at] = NUMBERS[random.below(NUMBERS.len())];
            }
            values.join("\"")
        }
        3 => {
            let mut values: Vec<&str> = text.split('"').collect();
            let [first, second] = [0; 2].map(|_| (2 * random.below(values.len() / 2) + 1).min(values.len() - 1));
            values.swap(first, second);
            values.join("\"")
        }
        4 => {
            let mut at = random.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let piece = ["<link name=\"n\">", "<a>", "<visual><geometry>", "("][random.below(4)];
            format!("{}{}{}", &text[..at], piece.repeat(1 << random.below(12)), &text[at..])
        }
        _ => mutate(text, &NASTY, random),
    }
}

/// Imports a text, and every `step`-th result is read; true if it is a robot.
fn try_one(text: &str, base: Base, is_read: bool) -> bool {
    match import(text, &ImportOptions { base, ..ImportOptions::default() }) {
        Ok(found) => {
            let (_, errors) = toml::de::DeTable::parse_recoverable(&found.model);
            assert!(errors.is_empty(), "{errors:?}\n{text}\n{}", found.model);
            let lines = text.split('\n').count();
            assert!(found.remarks.iter().all(|remark| (1..=lines).contains(&remark.line)));
            if is_read {
                read(&found.model, text);
            }
            true
        }
        Err(error) => {
            assert!((1..=text.split('\n').count()).contains(&error.line()), "{error}\n{text}");
            assert!(error.to_string().len() < 2000);
            false
        }
    }
}

/// What was imported is a model.
fn read(model: &str, text: &str) {
    if let Err(error) = Model::from_text(model, "imported.toml", &[]) {
        panic!("{error}\n{text}\n{model}");
    }
}

#[test]
fn damaged_robots_are_imported_or_rejected() {
    let count: usize = std::env::var("CAROM_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-arms.urdf");
    let texts = [std::fs::read_to_string(example).unwrap(), JOINTS.to_owned(), VISUALS.to_owned()];
    for (text, base) in texts.iter().flat_map(|text| Base::ALL.map(|base| (text, base))) {
        assert!(try_one(text, base, true));
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    // The generator is the only source of chance: a failure repeats.
    let (mut slowest, mut slow_text, mut accepted) = (Duration::ZERO, String::new(), 0);
    let start = Instant::now();
    for index in 0..count {
        let text = damaged(&texts[random.below(texts.len())], &mut random);
        let begin = Instant::now();
        accepted += usize::from(try_one(&text, Base::ALL[index % 3], index % 20 == 0));
        let time = begin.elapsed();
        if time > slowest {
            (slowest, slow_text) = (time, text);
        }
    }
    eprintln!("{count} mutations in {:.1?}, {accepted} accepted, slowest {slowest:.1?}", start.elapsed());
    assert!(slowest < MAX_TIME, "{slowest:?} for\n{slow_text}");
    assert!(accepted > count / 10);
}
